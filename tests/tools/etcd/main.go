// etcd, the store of the API server that cluster tests run against. Its own
// module cannot be installed by path, since its go.mod has replace lines.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
