import { cli, exited, type World } from "../../helpers/cli.ts";

const asked = (line: string, answers: NonNullable<World["answers"]>, world: World = {}) =>
  cli(line, { terminal: true, answers, ...world });

describe("relayers create on a terminal", () => {
  test("asks for missing required values only", async () => {
    const ran = await exited(0, asked("relayers create", ["New", "evm:sepolia", "signer-1"]));
    expect(ran.questions).toEqual(["Name:", "Network:", "Signer:"]);
    expect(JSON.parse(ran.writes[0]?.body ?? "")).toMatchObject({
      name: "New",
      network: "sepolia",
      network_type: "evm",
      signer_id: "signer-1",
    });
  });

  test("does not ask for values from flags", async () => {
    const line = "relayers create --network sepolia --network-type evm --signer-id s-new";
    expect((await asked(line, ["New"])).questions).toEqual(["Name:"]);
    expect((await asked(`${line} --name New`, [])).questions).toEqual([]);
  });

  test("asks only for the missing part of a network, its type or name", async () => {
    const rest = "--name New --signer-id s-new";
    expect((await asked(`relayers create ${rest} --network sepolia`, ["evm"])).writes).toHaveLength(1);
    expect((await asked(`relayers create ${rest} --network-type evm`, ["sepolia"])).writes).toHaveLength(1);
  });

  test("asks for the fee payment strategy on Stellar without a policy", async () => {
    const line = "relayers create --name New --signer-id s-new --network testnet --network-type stellar";
    const ran = await asked(line, ["relayer"]);
    expect(ran.writes[0]?.body).toContain('"policies":{"fee_payment_strategy":"relayer"}');
    expect((await asked(`${line} --policy fee_payment_strategy=user`, [])).questions).toEqual([]);
  });

  test("asks nothing if a flag is invalid", () =>
    exited({ exitCode: 2, questions: [], requests: [] }, asked("relayers create --id a.b", [])));

  test("sends nothing for a dry run", async () => {
    const ran = await asked("relayers create --dry-run", ["New", "evm", "sepolia", "s-new"]);
    expect(ran).toMatchObject({ exitCode: 0, requests: [] });
    expect(ran.stdout).toContain('"network_type":"evm"');
  });
});

describe("relayers create -i", () => {
  const LINE = "relayers create -i --name New --signer-id s-new";

  test("also asks for an ID, the notification, and policies with their units", async () => {
    const policies = ["gas_price_cap", "eip1559_pricing"];
    const answers = ["eth-main-1", "eth-new", "ops-hook", policies, "no", "set it", "80gwei"];
    const ran = await exited(0, asked(`${LINE} --network sepolia --network-type evm`, answers));
    expect(JSON.parse(ran.writes[0]?.body ?? "")).toMatchObject({
      id: "eth-new",
      notification_id: "ops-hook",
      policies: { gas_price_cap: 80_000_000_000, eip1559_pricing: false },
    });
    expect(ran.questions).toContain("  a relayer with the id eth-main-1 already exists");
    expect(ran.stderr).toContain(
      "--id eth-new --notification-id ops-hook --policy eip1559_pricing=false --policy gas_price_cap=80gwei\n",
    );
  });

  test("sends nested policies and lists as entered", async () => {
    const ran = await asked(`${LINE} --network mainnet --network-type stellar`, [
      "",
      "none",
      "user",
      ["swap_config"],
      "set its fields",
      ["strategies"],
      "add",
      "soroswap",
      "done",
    ]);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.writes[0]?.body).toContain(
      '"policies":{"fee_payment_strategy":"user","swap_config":{"strategies":["soroswap"]}}',
    );
  });
});
