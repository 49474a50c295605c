import { STATES } from "../../relayer-state/state.ts";
import { VERSION } from "../../version.ts";
import type { Measured, Measurement } from "./table.ts";

interface Metric {
  name: string;
  help: string;
  /** Whether it is an amount: its samples then have the coin and its smallest unit as labels. */
  isPositive?: true;
  value(relayer: Measurement): bigint | number | "+Inf" | undefined;
}

const METRICS: readonly Metric[] = [
  {
    name: "balance",
    help: "Balance of the relayer in the smallest unit of its coin (wei, lamport, stroop).",
    isPositive: true,
    value: ({ balance }) => balance,
  },
  {
    name: "min_balance",
    help: "Minimum balance of the relayer's policies in the smallest unit of its coin.",
    isPositive: true,
    value: ({ minBalance }) => minBalance,
  },
  {
    name: "runway_seconds",
    help: "Time until the balance is used up at the pace of the last 24 hours; +Inf if nothing was spent.",
    value: ({ runway }) => (runway ? (runway.seconds ?? "+Inf") : undefined),
  },
  {
    name: "nonce_drift",
    help: "Nonces that the service has assigned beyond the next one of the chain.",
    value: ({ drift }) => drift,
  },
  { name: "pending", help: "Pending transactions of the relayer.", value: ({ pending }) => pending },
  {
    name: "oldest_pending_seconds",
    help: "Age of the oldest pending transaction; 0 if none is pending.",
    value: ({ oldest }) => oldest,
  },
  {
    name: "spend_1h",
    help: "Value and fees that the account spent in the last hour, in the smallest unit of its coin.",
    isPositive: true,
    value: ({ spends }) => spends?.spend_1h,
  },
  {
    name: "spend_1d",
    help: "Value and fees that the account spent in the last 24 hours, in the smallest unit of its coin.",
    isPositive: true,
    value: ({ spends }) => spends?.spend_1d,
  },
];

const ERC20 = {
  name: "relayctl_relayer_erc20_balance",
  help: "Balance of the relayer in the smallest unit of an ERC-20 token.",
};

export const PROM_TEXT = "text/plain; version=0.0.4; charset=utf-8";

export interface Exposition {
  context: string;
  /** OpenMetrics 1.0, not the text format of Prometheus. */
  isOpenMetrics?: boolean;
}

export function promText(
  measured: Pick<Measured, "relayers" | "failures"> | undefined,
  { context, isOpenMetrics = false }: Exposition,
): string {
  const { relayers = [] } = measured ?? {};
  const labels = ({ id, network }: Measurement) => ({ context, relayer: id, network });
  const families = METRICS.map(({ name, help, isPositive, value }) => {
    const samples = relayers.flatMap((relayer) => {
      const found = value(relayer);
      const coin = isPositive && { coin: relayer.coin?.symbol ?? "", unit: relayer.coin?.base ?? "" };
      return found === undefined
        ? []
        : [metricLine(`relayctl_relayer_${name}`, { ...labels(relayer), ...coin }, found)];
    });
    return metric(`relayctl_relayer_${name}`, help, samples);
  });
  const tokens = relayers.flatMap((relayer) =>
    (relayer.erc20 ?? []).flatMap(({ name, address, decimals, balance }) => {
      const token = { token: name, address, decimals: String(decimals) };
      return balance === undefined ? [] : [metricLine(ERC20.name, { ...labels(relayer), ...token }, balance)];
    }),
  );
  const states = relayers.flatMap((relayer) =>
    STATES.map((state) =>
      metricLine("relayctl_relayer_state", { ...labels(relayer), state }, Number(state === relayer.state)),
    ),
  );
  const success = metricLine("relayctl_scrape_success", { context }, Number(measured?.failures.size === 0));
  // OpenMetrics has a type for it, and names its family without the suffix.
  const [build, type] = isOpenMetrics ? ["relayctl_build", "info"] : ["relayctl_build_info", "gauge"];
  return [
    metric(build, "Version of the exporter.", [metricLine("relayctl_build_info", { version: VERSION }, 1)], type),
    ...families,
    metric(ERC20.name, ERC20.help, tokens),
    metric("relayctl_relayer_state", "State of the relayer: 1 for the current one.", states),
    metric("relayctl_scrape_success", "Whether everything could be read from the service and its nodes.", [success]),
    isOpenMetrics ? "# EOF\n" : "",
  ].join("");
}

/** @param last when the last event of each relayer came, in milliseconds since 1970 */
export function promDeliveriesText(last: ReadonlyMap<string, number>): string {
  const name = "relayctl_webhook_last_delivery_timestamp_seconds";
  const samples = [...last].map(([relayer, time]) => metricLine(name, { relayer }, time / 1_000));
  return metric(name, "When the last webhook event of the relayer was received.", samples);
}

function metric(name: string, help: string, samples: readonly string[], type = "gauge"): string {
  return samples.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join("")}`;
}

function metricLine(name: string, labels: Readonly<Record<string, string>>, value: bigint | number | string): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}{${pairs.join(",")}} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
