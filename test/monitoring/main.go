// Command validate holds what relayctl prints and what deploy/ contains to the types of Grafana, Kubernetes, the Prometheus
// Operator, and Compose. Unknown and missing fields are errors. Its argument is the kind of the text on stdin.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/grafana/grafana-foundation-sdk/go/alerting"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func([]byte) error{
	"Dashboard":      validateDashboard,
	"Rules":          validateRules,
	"Compose":        validateCompose,
	"Deployment":     func(text []byte) error { return yaml.UnmarshalStrict(text, &apps.Deployment{}) },
	"Service":        func(text []byte) error { return yaml.UnmarshalStrict(text, &core.Service{}) },
	"ServiceMonitor": func(text []byte) error { return yaml.UnmarshalStrict(text, &monitoring.ServiceMonitor{}) },
}

type strict interface {
	UnmarshalJSONStrict([]byte) error
	Validate() error
}

func read(text []byte, value strict) error {
	// The SDK also returns an empty list of errors as an error.
	if err := value.UnmarshalJSONStrict(text); err != nil && err.Error() != "" {
		return err
	}
	return value.Validate()
}

func validateDashboard(text []byte) error {
	plugins.RegisterDefaultPlugins()
	return read(text, &dashboard.Dashboard{})
}

func validateRules(text []byte) error {
	var rules []json.RawMessage
	if err := json.Unmarshal(text, &rules); err != nil {
		return err
	}
	for _, rule := range rules {
		if err := read(rule, &alerting.Rule{}); err != nil {
			return err
		}
	}
	return nil
}

func validateCompose(text []byte) error {
	_, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: text}},
		Environment: types.Mapping{"RELAYCTL_SERVER": "https://relayer.example.org"},
	})
	return err
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = kinds[os.Args[1]](text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
