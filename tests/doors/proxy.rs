//! An API server spoken to without TLS, through `kubectl proxy`: thousands of objects
//! are asked about, and a process for each would take minutes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::cluster::Cluster;

/// A running proxy.
pub struct Proxy {
    child: Child,
    address: String,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// What the server says to a request.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The texts of its warnings.
    pub warnings: Vec<String>,
    /// The body.
    pub body: Value,
}

impl Proxy {
    /// Starts one.
    pub fn to(cluster: &Cluster) -> Self {
        let mut child = cluster
            .command(&["proxy", "--port=0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        Self { child, address }
    }

    /// Asks the server to make an object, but not to keep it. A server that has just been
    /// told of a kind may still answer that it is not there yet: then it is asked again.
    pub fn would_create(&self, collection: &str, object: &Value) -> Answer {
        let start = Instant::now();
        loop {
            let answer = self.asked_once(collection, object);
            if answer.status != 503 || start.elapsed() > Duration::from_secs(60) {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn asked_once(&self, collection: &str, object: &Value) -> Answer {
        let body = object.to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "POST {collection}?dryRun=All HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        let (mut warnings, mut chunked) = (Vec::new(), false);
        loop {
            line.clear();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "warning" => warnings.push(value.to_owned()),
                "transfer-encoding" => chunked = value == "chunked",
                _ => {}
            }
        }
        let mut body = Vec::new();
        match chunked {
            true => loop {
                line.clear();
                reader.read_line(&mut line).unwrap();
                let length = usize::from_str_radix(line.trim(), 16).unwrap();
                let mut chunk = vec![0; length + 2];
                reader.read_exact(&mut chunk).unwrap();
                if length == 0 {
                    break;
                }
                body.extend_from_slice(&chunk[..length]);
            },
            false => drop(reader.read_to_end(&mut body).unwrap()),
        }
        Answer { status, warnings, body: serde_json::from_slice(&body).unwrap_or_default() }
    }
}
