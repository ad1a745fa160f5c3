// kube-apiserver, for tests of what a cluster accepts and keeps. Its own module
// takes the staging modules from folders that only exist in its repository;
// go.mod here says which published ones they are.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"

	_ "k8s.io/component-base/logs/json/register"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
