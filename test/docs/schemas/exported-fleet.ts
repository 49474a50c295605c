import { anything, closed, count, flag, list, type Members, text, texts } from "./schema.ts";

const URLS = list(
  "RPC URLs: texts, or objects with url and weight if the weight is not 100.",
  anything("A URL, or an object."),
);

const NOTIFICATION = closed(
  "A notification.",
  { id: text("The ID."), type: text("The type: webhook."), url: text("Where deliveries go.") },
  { signing_key: text("A placeholder for the key; absent if there is none.") },
);

const SIGNER = closed("A signer.", {
  id: text("The ID."),
  type: text("The type; local for a plain key too."),
  config: anything("The members of the type, with a placeholder for each secret."),
});

const NETWORK = closed(
  "A network. Absent members are not set.",
  { type: text("The kind."), network: text("The name.") },
  {
    is_testnet: flag("Whether it is a test network."),
    chain_id: count("EVM: the chain ID."),
    symbol: text("EVM: the symbol of the coin."),
    passphrase: text("Stellar: the passphrase."),
    required_confirmations: count("EVM: after how many blocks a transaction is confirmed."),
    average_blocktime_ms: count("The average time between blocks, in milliseconds."),
    features: texts("EVM: the features."),
    tags: texts("The tags."),
    explorer_urls: texts("The URLs of block explorers."),
    horizon_url: text("Stellar: the URL of Horizon."),
    rpc_urls: URLS,
  },
);

const SWITCHES = ["emit_logs", "emit_traces", "raw_response", "allow_get_invocation", "forward_logs"];

const PLUGIN = closed(
  "A plugin. Members with the default of the service are absent.",
  { id: text("The ID."), path: text("The path of its code.") },
  {
    timeout: count("The seconds after which the service ends a call."),
    ...(Object.fromEntries(SWITCHES.map((name) => [name, flag("Always true.")])) as Members),
    config: anything("The settings of the plugin."),
  },
);

const RELAYER = closed(
  "A relayer.",
  {
    id: text("The ID."),
    name: text("The display name."),
    network: text("The name of the network."),
    network_type: text("The kind of the network."),
    paused: flag("Whether the relayer is paused."),
    signer_id: text("The ID of the signer, or a placeholder if the service does not return it."),
  },
  {
    notification_id: text("The ID of the notification."),
    custom_rpc_urls: URLS,
    policies: anything("The policies that are set to other values than the service's defaults."),
  },
);

/** The config file of a service. A list that the service does not have is absent. */
export const FLEET = closed(
  "A fleet in the form of the service's config.json. A list is absent if the service does not have its route.",
  { relayers: list("The relayers, by ID.", RELAYER) },
  {
    notifications: list("The notifications, by ID.", NOTIFICATION),
    signers: list("The signers, by ID.", SIGNER),
    networks: list("The networks, by ID.", NETWORK),
    plugins: list("The plugins, by ID.", PLUGIN),
  },
);
