// The reader that germ-post must agree with, at the version that Helm and
// kubectl are built with.
module go-reader

go 1.22

require (
	go.yaml.in/yaml/v2 v2.4.4
	sigs.k8s.io/yaml v1.6.0
)
