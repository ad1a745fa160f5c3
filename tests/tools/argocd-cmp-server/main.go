// argocd-cmp-server, the part of Argo CD that runs config-management plugins:
// in a cluster it is the sidecar's entrypoint, here the tests' counterpart.
package main

import (
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
)

func main() {
	if err := commands.NewCommand().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
