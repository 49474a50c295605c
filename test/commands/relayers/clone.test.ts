import { cli, ends, exited, says } from "../../helpers/cli.ts";
import { success } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";

const A = {
  id: "a",
  name: "A",
  network: "sepolia",
  network_type: "evm",
  paused: false,
  policies: { gas_price_cap: 80000000000, min_balance: 1 },
  address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  system_disabled: false,
  disabled_reason: null,
  signer_id: "s1",
  notification_id: "ops",
  custom_rpc_urls: null,
  later: 1,
};
const CLONE = "relayers clone a --id b --signer-id s2";

/** The body that would be sent for a relayer, and the output. */
async function cloned(line: string, original: object = A) {
  const service = scriptedService({ expect: "GET /api/v1/relayers/a", reply: success(original) }).transport;
  const ran = await cli(`${line} --dry-run`, { service });
  return { ...ran, body: ran.stdout === "" ? undefined : JSON.parse(ran.stdout.slice(ran.stdout.indexOf("\n{"))) };
}

test("sends the fields and policies of the other relayer, without those that the service sets", async () => {
  const { body } = await exited(0, cloned(CLONE));
  expect(body).toEqual({
    id: "b",
    name: "A",
    network: "sepolia",
    network_type: "evm",
    signer_id: "s2",
    notification_id: "ops",
    paused: false,
    policies: A.policies,
  });
});

test("prefers typed values", async () => {
  const { body } = await cloned(
    `${CLONE} --name B --paused --notification-id other --rpc-url https://b.example,weight=7`,
  );
  expect(body).toMatchObject({ name: "B", paused: true, notification_id: "other" });
  expect(body.custom_rpc_urls).toEqual([{ url: "https://b.example", weight: 7 }]);
});

test("copies URLs that can be read, and never a masked one", async () => {
  const whole = await cloned(CLONE, { ...A, custom_rpc_urls: [{ url: "https://b.example", weight: 7 }] });
  expect(whole.body.custom_rpc_urls).toEqual([{ url: "https://b.example", weight: 7 }]);
  const masked = await cloned(CLONE, { ...A, custom_rpc_urls: [{ url: "https://b.example/***", weight: 7 }] });
  expect(masked.body).not.toHaveProperty("custom_rpc_urls");
  expect(masked.stderr).toContain("warning: the RPC URLs of a are masked and not copied");
});

test("requires a signer before anything is sent", () =>
  says({ exitCode: 2, requests: [] }, "relayers clone eth-main-1 --id b", "--signer-id: is required"));

test("exits with 6 for an ID in use", () =>
  ends({ exitCode: 6, writes: [] }, "relayers clone base-hot --id eth-main-1 --signer-id s"));
