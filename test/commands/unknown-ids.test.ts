import { says } from "../helpers/cli.ts";

const RELAYER = "hint: relayctl relayers list\n";

test.each([
  ["relayers delete nope --yes", RELAYER],
  ["relayers pause nope --diff", RELAYER],
  ["relayers pause nope --dry-run --diff", RELAYER],
  ["relayers update nope --policy gas_price_cap=1", RELAYER],
  ["relayers balance nope", "Relayer with ID nope not found"],
  ["relayers balance nope nope2", RELAYER],
  ["relayers clone nope --id b --signer-id s", RELAYER],
  ["tx list nope", RELAYER],
  ["tx get nope t", RELAYER],
  ["tx get eth-main-1 nope", "hint: relayctl tx list eth-main-1\n"],
  ["tx cancel eth-main-1 nope --yes", "hint: relayctl tx list eth-main-1\n"],
  ["tx replace eth-main-1 nope --value 1 --yes", "hint: relayctl tx list eth-main-1\n"],
])("%s exits with 5, and sends nothing", (line, words) => says({ exitCode: 5, stdout: "", writes: [] }, line, words));
