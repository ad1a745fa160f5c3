//! Network policies: who may talk to whom.
//!
//! CiliumNetworkPolicy, CiliumClusterwideNetworkPolicy and NetworkPolicy are read
//! into one model ([`model`]), together with the pods and Services of the stream
//! ([`network`]). What a policy means is asked there ([`verdict`]), by the checks and
//! by the graph ([`graph`]). [`hosts`] and [`egress`] make the policy that lets a
//! workload reach the hosts that it lists, and nothing else.
//!
//! Semantics are those of Cilium 1.17 to 1.20, read in `pkg/policy/api` and
//! `pkg/k8s/apis/cilium.io/utils`, and of `networking.k8s.io/v1`.

pub mod allowed_cluster;
mod cilium;
pub mod egress;
pub mod graph;
pub mod hosts;
mod kubernetes;
pub mod model;
pub mod network;
pub mod pods;
pub mod ports;
pub mod selector;
pub mod services;
pub mod verdict;

pub use model::{Direction, Effect, Peer, Policy, Rule, Spec};
pub use network::Network;
