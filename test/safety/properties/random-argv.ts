import fc from "fast-check";
import { anyCharacter } from "../../helpers/any-character.ts";

export const WORDS = [
  ...["relayers", "tx", "notifications", "api", "auth", "context", "serve", "help", "list", "get", "update", "pause"],
  ...[
    "resume",
    "replace",
    "create",
    "login",
    "logout",
    "status",
    "token",
    "show",
    "use",
    "set",
    "delete",
    "balance",
    "rpc",
    "sign",
    "sign-typed-data",
    "sign-transaction",
    "GET",
    "POST",
  ],
  ...["-", "--", "", "__proto__", "constructor", "true", "false", "eth-main-1", "/relayers", "..", "0x", "1e400"],
];

export const FLAGS = [
  ...["-o", "--output", "--json", "--fields", "--query", "-c", "--server", "--token-file", "--demo", "-y", "--confirm"],
  ...[
    "--no-input",
    "-n",
    "--curl",
    "-q",
    "-v",
    "--timeout",
    "--deadline",
    "--retries",
    "--ca-file",
    "--proxy",
    "--color",
  ],
  ...[
    "--page",
    "--per-page",
    "--limit",
    "--concurrency",
    "--where",
    "--sort",
    "--paused",
    "--no-paused",
    "--name",
    "--rpc-url",
    "--policy",
  ],
  ...[
    "--unset-policy",
    "--policies",
    "--reset-policies",
    "-f",
    "--value",
    "--data",
    "--gas-limit",
    "--network-type",
    "--message",
    "--message-file",
    "--params",
    "--speed",
    "--memo",
  ],
  ...[
    "--url",
    "--signing-key-file",
    "--remove-signing-key",
    "-i",
    "--help",
    "-h",
    "--version",
    "-V",
    "--token",
    "--no-x",
  ],
];

const values = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    "json",
    "30s",
    "-1",
    "0",
    "1.5eth",
    "50gwei",
    "9".repeat(80),
    "a=b",
    "[?",
    "id = x",
    "http://[",
    "\u001b[31m",
  ),
);

/** Command lines as nobody types them: words and flags that exist, in any order, with values of any kind. */
export const randomArgv = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 4, arbitrary: fc.constantFrom(...FLAGS) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...FLAGS), values).map(([flag, value]) => `${flag}=${value}`) },
    { weight: 2, arbitrary: values },
  ),
  { maxLength: 9 },
);
