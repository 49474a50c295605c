import { type Planted, urlWith } from "./planted.ts";

/** Flags of files that a command only reads. */
export const READING = [
  "--abi",
  "--api-key-secret-file",
  "--api-private-key-file",
  "--approvers",
  "--client-secret-file",
  "--config",
  "--file",
  "--identity",
  "--instructions",
  "--key-file",
  "--message-file",
  "--old-key-file",
  "--operations",
  "--policies",
  "--role-id-file",
  "--secret-id-file",
  "--service-account-file",
  "--signing-key-file",
  "--transaction-file",
  "--unsigned-xdr-file",
  "--wallet-secret-file",
];

/** Flags of files and folders that a command writes to, each with a line that gives it. */
export const WRITING: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "--junit": [
    ["doctor", "--junit", "out.xml"],
    ["doctor", "--local", "--junit", "out.xml"],
  ],
  "--key-out": [
    ["notifications", "rotate-key", "ops-hook", "--generate", "--key-out", "new.key", "--yes"],
    ["signers", "create", "--type", "plain", "--generate", "--key-out", "new.key"],
  ],
  "--out": [["plan", "-f", "fleet.json", "--out", "plan.saved"]],
  "--record": [["webhooks", "listen", "--signing-key-file", "key", "--record", "seen.ndjson"]],
  "--report": [
    ["tx", "send-many", "base-hot", "-f", "payouts.csv", "--speed", "fast", "--yes", "--report", "report.csv"],
    ["tx", "send-many", "base-hot", "-f", "payouts.csv", "--speed", "fast", "--yes", "--report", "report.json"],
  ],
  "--state": [
    ["serve", "--state", "state.json"],
    ["audit", "base-hot", "--state", "nonces"],
    ["spend", "base-hot", "--state", "nonces"],
  ],
  "--undo-file": [["relayers", "pause", "base-hot", "eth-main-1", "--yes", "--undo-file", "undo.sh"]],
  "--update": [
    ["export", "--update", "fleet.json", "--yes"],
    ["export", "--update", "fleet.json", "--dry-run"],
  ],
};

const RECEIVER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

/** Lines that carry a secret of every kind. */
export function carrying(planted: Planted): string[][] {
  const { path, user, password, nodePath, nodePassword, proxyPassword, headerOfLine } = planted;
  const header = ["--header", `X-Line: ${headerOfLine}`];
  const client = ["--cert", "client.pem", "--key", "client.key", "--key-passphrase-file", "passphrase"];
  const url = urlWith("rpc.example.com", path, user, password);
  const node = urlWith("node.example.net", nodePath, "node-user", nodePassword);
  const receiver = urlWith("node.example.net", "hook", "node-user", nodePassword);
  const proxy = urlWith("proxy.example:8080", "", "proxy-user", proxyPassword).replace(/\/$/, "");
  const send = [
    "tx",
    "send",
    "eth-main-1",
    "--to",
    RECEIVER,
    "--value",
    "1wei",
    "--gas-limit",
    "21000",
    "--speed",
    "fast",
  ];
  return [
    ["relayers", "update", "eth-main-1", "--rpc-url", url, "--yes"],
    ["relayers", "update", "eth-main-1", "--rpc-url", `${url},weight=3`, "--diff", "--yes"],
    ["relayers", "update", "eth-main-1", "-f", "rpc.json", "--yes"],
    ["relayers", "update", "eth-main-1", "base-hot", "-f", "rpc.json", "--yes", "--undo-file", "undo.sh"],
    [
      "relayers",
      "create",
      "--name",
      "n",
      "--network",
      "sepolia",
      "--network-type",
      "evm",
      "--signer-id",
      "s",
      "--rpc-url",
      url,
    ],
    ["networks", "update", "evm:sepolia", "--rpc-url", url, "--yes"],
    ["notifications", "create", "--url", "https://hooks.example/x", "--signing-key-file", "key"],
    ["notifications", "create", "-f", "hook.json"],
    ["notifications", "create", "-f", "wrong-hook.json"],
    ["notifications", "update", "ops-hook", "--signing-key-file", "key"],
    ["notifications", "rotate-key", "ops-hook", "--signing-key-file", "key", "--yes"],
    ["api", "POST", "/notifications", "-f", "hook.json", "--yes"],
    ["api", "PATCH", "/relayers/eth-main-1", "-f", "rpc.json", "--yes"],
    ["api", "GET", "/relayers", "--include"],
    ["relayers", "list", "--proxy", proxy],
    ["relayers", "get", "eth-main-1", "-v"],
    ["relayers", "list", "-vv"],
    [...send, "--yes"],
    [...send, "--once", "payout-7", "--yes"],
    [...send, "--dry-run"],
    [...send, "--curl"],
    ["tx", "get", "eth-main-1", "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50", "--node", node],
    ["tx", "call", "eth-main-1", "--to", RECEIVER, "--node", node],
    ["tx", "list", "eth-main-1", "--on-chain"],
    ["doctor"],
    ["doctor", "eth-main-1", "--node", node],
    ["context", "set", "other", "--node", `mainnet=${node}`, "--server", "https://relayer.example.org"],
    ["context", "show"],
    ["webhooks", "test", "--to", receiver, "--signing-key-file", "key"],
    ["webhooks", "sign", "--signing-key-file", "key", "-f", "hook.json"],
    ["plan", "-f", "fleet.json"],
    ["drift", "-f", "fleet.json"],
    ["apply", "-f", "fleet.json", "--yes"],
    ["apply", "-f", "fleet.json", "--yes", "-vv"],
    ["plan", "-f", "fleet.json", "-vv"],
    ["relayers", "get", "eth-main-1", "-vv"],
    ["networks", "get", "evm:sepolia"],
    ["networks", "list", "-vv"],
    ["apply", "-f", "fleet.json", "--dry-run"],
    ["apply", "-f", "fleet.json", "--curl"],
    ["export"],
    ["history", "list"],
    ["relayers", "list", ...header],
    ["relayers", "list", ...header, "--where", "nonsense=1", "--no-such-flag"],
    ["relayers", "get", "nobody", `--header=X-Line: ${headerOfLine}`, "-vv"],
    ["relayers", "pause", "eth-main-1", ...header, "--header", "@headers"],
    [...send, ...header, "--yes"],
    [...send, ...header, "--curl"],
    [...send, ...header],
    ["api", "POST", "/notifications", "-f", "hook.json", ...header],
    ["context", "set", "other", "--server", "https://relayer.example.org", ...header],
    ["context", "set", "other", "--server", "https://relayer.example.org", "--header", headerOfLine],
    [
      "auth",
      "login",
      "--context",
      "new",
      "--server",
      "https://relayer.example.org",
      "--token-file",
      "token",
      ...header,
    ],
    ["auth", "status", "--header", "@headers"],
    ...[
      ["relayers", "list"],
      ["relayers", "get", "eth-main-1", "-vv"],
      ["context", "show"],
      ["doctor", "--local"],
    ].map((words) => [...words, ...client]),
    [...send, ...client, "--yes"],
    [...send, ...client, "--curl"],
    ["relayers", "list", "--cert", "client.key"],
    ["relayers", "list", "--cert", "passphrase"],
    ["relayers", "list", "--cert", "client.pem", "--key", "client.key"],
    ["relayers", "list", "--cert", "client.pem", "--key", "passphrase"],
    ["relayers", "list", "--cert", "client.pem", "--key", "client.key", "--key-passphrase-file", "client.key"],
    ["relayers", "list", "--cert", "other.pem", "--key", "client.key", "--key-passphrase-file", "passphrase"],
    ["context", "set", "other", "--server", "https://relayer.example.org", ...client],
  ];
}
