// cmp-client is Argo CD's side of the plugin protocol: it asks an argocd-cmp-server
// on a unix socket one question, as the repo-server does, and prints the answer as JSON.
//
//	cmp-client [-timeout 60s] SOCKET check
//	cmp-client [-timeout 60s] SOCKET match|parameters|generate REPOSITORY PATH [NAME=VALUE...]
//
// The repository is sent whole, as an archive; PATH is the application's folder in it, and
// the variables are what the command is to see. The few messages of the protocol are put
// together by hand (cmpserver/plugin/plugin.proto), which spares Argo CD's code.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protowire"
)

const (
	service = "/plugin.ConfigManagementPluginService/"
	limit   = 100 << 20 // ARGOCD_GRPC_MAX_SIZE_MB
	piece   = 1024      // what the repo-server sends at a time
)

// verbatim is a gRPC codec for messages that are bytes already.
type verbatim struct{}

func (verbatim) Name() string                        { return "proto" }
func (verbatim) Marshal(message any) ([]byte, error) { return *message.(*[]byte), nil }
func (verbatim) Unmarshal(bytes []byte, message any) error {
	*message.(*[]byte) = append([]byte(nil), bytes...)
	return nil
}

func main() {
	timeout := flag.Duration("timeout", time.Minute, "how long the answer may take")
	flag.Parse()
	if err := ask(flag.Args(), *timeout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ask(args []string, timeout time.Duration) error {
	if len(args) < 2 || args[1] != "check" && len(args) < 4 {
		return errors.New("cmp-client: SOCKET check | SOCKET match|parameters|generate REPOSITORY PATH [NAME=VALUE...]")
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	connection, err := grpc.NewClient("unix://"+args[0],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(verbatim{}), grpc.MaxCallRecvMsgSize(limit), grpc.MaxCallSendMsgSize(limit)))
	if err != nil {
		return err
	}
	defer connection.Close()
	var answer any
	switch args[1] {
	case "check":
		var question, reply []byte
		if err := connection.Invoke(ctx, service+"CheckPluginConfiguration", &question, &reply); err != nil {
			return err
		}
		answer, err = message(reply, map[protowire.Number]field{1: {"isDiscoveryConfigured", flagged}, 2: {"provideGitCreds", flagged}})
	case "match":
		answer, err = streamed(ctx, connection, "MatchRepository", args[2:],
			map[protowire.Number]field{1: {"isSupported", flagged}, 2: {"isDiscoveryEnabled", flagged}})
	case "parameters":
		announcement := map[protowire.Number]field{1: {"name", text}, 2: {"title", text}, 3: {"tooltip", text}, 4: {"required", flagged},
			5: {"itemType", text}, 6: {"collectionType", text}, 7: {"string", text}, 8: {"array", texts}, 9: {"map", pairs}}
		answer, err = streamed(ctx, connection, "GetParametersAnnouncement", args[2:],
			map[protowire.Number]field{1: {"parameters", messages(announcement)}})
	case "generate":
		answer, err = streamed(ctx, connection, "GenerateManifest", args[2:],
			map[protowire.Number]field{1: {"manifests", texts}, 2: {"sourceType", text}})
	default:
		err = fmt.Errorf("cmp-client: there is no question %q", args[1])
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}

// streamed asks a question that comes with a repository.
func streamed(ctx context.Context, connection *grpc.ClientConn, method string, args []string, fields map[protowire.Number]field) (any, error) {
	repository, path := args[0], filepath.Clean(args[1])
	archive, err := pack(repository)
	if err != nil {
		return nil, err
	}
	stream, err := connection.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true}, service+method)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(archive)
	metadata := put(put(put(nil, 1, "app"), 2, path), 3, hex.EncodeToString(sum[:]))
	metadata = protowire.AppendVarint(protowire.AppendTag(metadata, 4, protowire.VarintType), uint64(len(archive)))
	for _, variable := range args[2:] {
		name, value, _ := strings.Cut(variable, "=")
		metadata = put(metadata, 5, put(put([]byte(nil), 1, name), 2, value))
	}
	pieces := [][]byte{put([]byte(nil), 1, metadata)}
	for start := 0; start < len(archive); start += piece {
		file := put([]byte(nil), 1, archive[start:min(start+piece, len(archive))])
		pieces = append(pieces, put([]byte(nil), 2, file))
	}
	for _, sent := range pieces {
		// What is wrong is in the answer.
		if err := stream.SendMsg(&sent); err != nil {
			break
		}
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	var reply []byte
	if err := stream.RecvMsg(&reply); err != nil {
		return nil, err
	}
	return message(reply, fields)
}

// pack makes the archive of a folder: folders, files and links, named from its root.
func pack(root string) ([]byte, error) {
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	archive := tar.NewWriter(compressed)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		target := ""
		if info.Mode()&fs.ModeSymlink != 0 {
			if target, err = os.Readlink(path); err != nil {
				return err
			}
		}
		header, err := tar.FileInfoHeader(info, target)
		if err != nil {
			return err
		}
		if header.Name, err = filepath.Rel(root, path); err != nil {
			return err
		}
		if err := archive.WriteHeader(header); err != nil || !info.Mode().IsRegular() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(archive, file)
		return err
	})
	err = errors.Join(err, archive.Close(), compressed.Close())
	return out.Bytes(), err
}

// put appends a field that is text or a message.
func put[T string | []byte](to []byte, number protowire.Number, value T) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), []byte(value))
}

// A field has a name, and a way to add one more of its values to those before it.
type field struct {
	name string
	add  func(before any, number uint64, bytes []byte) (any, error)
}

func flagged(_ any, number uint64, _ []byte) (any, error) { return number == 1, nil }
func text(_ any, _ uint64, bytes []byte) (any, error)     { return string(bytes), nil }

func texts(before any, _ uint64, bytes []byte) (any, error) {
	list, _ := before.([]any)
	return append(list, string(bytes)), nil
}

func messages(fields map[protowire.Number]field) func(any, uint64, []byte) (any, error) {
	return func(before any, _ uint64, bytes []byte) (any, error) {
		one, err := message(bytes, fields)
		list, _ := before.([]any)
		return append(list, one), err
	}
}

func pairs(before any, _ uint64, bytes []byte) (any, error) {
	one, err := message(bytes, map[protowire.Number]field{1: {"key", text}, 2: {"value", text}})
	all, _ := before.(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	if key, ok := one["key"].(string); ok {
		all[key] = one["value"]
	}
	return all, err
}

// message reads a message whose fields are numbers, texts and messages.
func message(bytes []byte, fields map[protowire.Number]field) (map[string]any, error) {
	read := map[string]any{}
	for len(bytes) > 0 {
		number, kind, length := protowire.ConsumeTag(bytes)
		if length < 0 {
			return nil, protowire.ParseError(length)
		}
		bytes = bytes[length:]
		var value uint64
		var content []byte
		switch kind {
		case protowire.VarintType:
			value, length = protowire.ConsumeVarint(bytes)
		case protowire.BytesType:
			content, length = protowire.ConsumeBytes(bytes)
		default:
			length = protowire.ConsumeFieldValue(number, kind, bytes)
		}
		if length < 0 {
			return nil, protowire.ParseError(length)
		}
		bytes = bytes[length:]
		if known, ok := fields[number]; ok {
			var err error
			if read[known.name], err = known.add(read[known.name], value, content); err != nil {
				return nil, err
			}
		}
	}
	return read, nil
}
