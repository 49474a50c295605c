import { cli } from "../../helpers/cli.ts";
import { disabledBy, examined, ward } from "./sick.ts";

const OWN = { custom_rpc_urls: [{ url: "https://rpc.example.org/v3/key", weight: 100 }] };
const RPC = "RpcValidationFailed";
/** The reasons, the fields, what every command says of the reason, and what it says that helps. */
const CASES = [
  [["NonceSyncFailed"], {}, "nonce sync failed", "the service tries again by itself"],
  [[RPC], {}, "RPC validation failed", "relayctl networks update evm:mainnet --rpc-url URL"],
  [[RPC], OWN, "RPC validation failed", "its own RPC URLs cannot be changed while it is disabled"],
  [["BalanceCheckFailed"], {}, "balance below the minimum", "fund 0x70997970c51812dc3a010c7d01b50e0d17dc79c8"],
  [[RPC, "BalanceCheckFailed"], {}, "balance could not be read", "relayctl networks update evm:mainnet"],
  [["SignerLost"], {}, "SignerLost", ""],
] as const;

const LINES = [
  "relayers get r1",
  "relayers status r1",
  "tx send r1 --to 0x52908400098527886E0F7030069857D2E4169EE7 --value 1 --yes",
  "doctor --only REL-DISABLED",
];

describe.each(CASES)("a relayer that is disabled by %j", (reasons, fields, why, help) => {
  test.each(LINES)("is explained in the same words by %s", async (line) => {
    const { world } = ward({ relayers: [disabledBy(reasons, fields)] });
    const { stdout, stderr } = await cli(line, { ...world, terminal: true, columns: 1_000 });
    expect(`${stdout}${stderr}`).toContain(why);
    expect(`${stdout}${stderr}`.toLowerCase()).toContain(help.toLowerCase());
  });
});

test("a balance that was not read is not said to be too low", async () => {
  const { world } = ward({ relayers: [disabledBy(["BalanceCheckFailed"])] });
  const unread = { ...world, service: withoutStatus(world.service) };
  for (const line of [
    "relayers get r1",
    "tx send r1 --to 0x52908400098527886E0F7030069857D2E4169EE7 --value 1 --yes",
  ]) {
    const { stdout, stderr } = await cli(line, { ...unread, terminal: true, columns: 1_000 });
    expect(`${stdout}${stderr}`, line).toContain("balance below the minimum, or could not be read");
    expect(`${stdout}${stderr}`, line).toContain("if its balance is too low");
  }
  const { findings } = await examined(unread, "doctor --only REL-DISABLED,BAL-BELOW-MIN");
  expect(findings).toMatchObject([
    { code: "REL-DISABLED", message: "balance below the minimum, or could not be read" },
  ]);
});

/** The service fails to read the balance, as with a dead node. */
function withoutStatus(service: ReturnType<typeof ward>["world"]["service"]): typeof service {
  return async (request, limits) => {
    const found = await service(request, limits);
    return /\/(?:status|balance)$/.test(request.target) ? { ...found, status: 500 } : found;
  };
}
