import { expectTypeOf } from "vitest";
import type { UpdateFlags } from "../../../src/commands/relayers/change/update-flags.ts";
import type { CreateFlags } from "../../../src/commands/relayers/create/flags.ts";
import { effectOf } from "../../../src/contract/effect.ts";
import type { JsonObject, JsonValue } from "../../../src/contract/json.ts";
import type { NetworkKind } from "../../../src/contract/network-kind.ts";
import { operations } from "../../../src/contract/operations.ts";
import { createRelayerSchema, updateRelayerSchema } from "../../../src/contract/requests.ts";
import { type Field, sentFields } from "../../../src/contract/resources/field.ts";
import {
  type Relayer,
  type RpcConfig,
  relayerFields,
  relayerShape,
  type UpdateRelayerRequest,
} from "../../../src/contract/resources/relayer.ts";
import { relayerView } from "../../../src/views/relayer.ts";
import { relayerEntries, relayerParts } from "../../../src/views/relayer-parts.ts";
import { issuesOf } from "../../contract/issues.ts";
import { cli } from "../../helpers/cli.ts";
import { CREATED, ROWS } from "../../helpers/relayer-rows.ts";

const FIELDS = Object.entries<Field>(relayerFields);
const UPDATED = sentFields(relayerFields, "update").filter(([, { form }]) => form !== "policies");
const rowOf = (name: string) => Object.entries(ROWS).find(([field]) => field === name)?.[1];
const nameOf = (flag: readonly [string, string] | undefined) => flag?.[0].split(" ")[0] ?? "";

async function bodySent(words: readonly string[]): Promise<JsonObject> {
  const { writes, stderr } = await cli(words);
  expect(writes, stderr).toHaveLength(1);
  return JSON.parse(writes[0]?.body ?? "");
}

describe.each(UPDATED)("the field %s of a relayer", (name, { flag, clear }) => {
  const row = rowOf(name);

  test("is sent by its update flag", async () => {
    const words = ["relayers", "update", "eth-main-1", nameOf(flag), ...(row?.typed ?? [])];
    expect(await bodySent(words)).toEqual({ [name]: row?.sent });
  });

  test("is cleared by its other flag, or set to false", async () => {
    const cleared = typeof row?.sent === "boolean" ? false : null;
    expect(await bodySent(["relayers", "update", "eth-main-1", nameOf(clear)])).toEqual({ [name]: cleared });
  });

  test("is validated by the update schema", () => {
    const issues = (value: JsonValue) => issuesOf(updateRelayerSchema, { [name]: value });
    expect(issues((row?.sent ?? null) as JsonValue)).toEqual([]);
    expect(issues((row?.rejected ?? null) as JsonValue)).toHaveLength(1);
  });

  test("requires the relayer's ID only for an unexpected type", () => {
    const consentTo = (value: JsonValue) => effectOf(operations["relayers.update"], { [name]: value }).consent;
    expect(consentTo(row?.sent as JsonValue)).toBe("none");
    expect(consentTo({ unknown: 1 })).toBe("id");
  });

  test("is part of the prompts and the editor", () => {
    expect(relayerParts({ id: "r" }).map(({ path }) => path)).toContain(name);
    expect(relayerEntries({ id: "r" }, undefined)).toContainEqual(expect.objectContaining({ key: name }));
  });
});

test("a creation sends every field", async () => {
  const flags = sentFields(relayerFields, "create").flatMap(([name, { flag }]) => {
    const typed = rowOf(name)?.typed ?? Object.entries(CREATED).flatMap(([field, one]) => (field === name ? one : []));
    return flag ? [nameOf(flag), ...typed] : [];
  });
  const body = await bodySent(["relayers", "create", ...flags]);
  const expected = [...Object.entries(CREATED), ...Object.entries(ROWS).map(([name, { sent }]) => [name, sent])];
  const created = sentFields(relayerFields, "create").map(([name]) => name);
  expect(body).toEqual(Object.fromEntries(expected.filter(([name]) => created.includes(String(name)))));
  expect(issuesOf(createRelayerSchema, body)).toEqual([]);
});

const SAMPLES: Readonly<Record<string, JsonValue>> = {
  id: "other",
  text: "other",
  flag: true,
  object: { type: "RpcValidationFailed", details: "no node answers", min_balance: 5 },
  list: [{ url: "https://rpc.example.org" }],
};

describe.each(FIELDS.filter(([, { holds }]) => holds))(
  "the field %s of a relayer in a response",
  (name, { holds = "id" }) => {
    const relayer: Relayer = {
      id: "r",
      network: "sepolia",
      network_type: "evm",
      system_disabled: name !== "system_disabled",
    };
    const changed = { ...relayer, [name]: SAMPLES[holds] ?? null };

    test("is checked by its shape", () => {
      expect(relayerShape(changed)).toBeUndefined();
      expect(relayerShape({ ...relayer, [name]: 5 })).toBe(name);
    });

    test("can be selected, and is shown for a single relayer", () => {
      expect(relayerView.fields).toContain(name);
      expect(relayerView.block(changed)).not.toEqual(relayerView.block(relayer));
    });
  },
);

test.each(["table", "v1_8"] as const)("each position in %s is used once", (position) => {
  const places = FIELDS.flatMap(([, field]) => field[position] ?? []).sort((one, other) => one - other);
  expect(places).toEqual(places.map((_, index) => index + 1));
});

test("the types match the entries", () => {
  expectTypeOf<Relayer["paused"]>().toEqualTypeOf<boolean | null | undefined>();
  expectTypeOf<Relayer["id"]>().toEqualTypeOf<string>();
  expectTypeOf<UpdateRelayerRequest["notification_id"]>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<UpdateRelayerRequest["paused"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<UpdateRelayerRequest["custom_rpc_urls"]>().toEqualTypeOf<RpcConfig[] | null | undefined>();
  expectTypeOf<UpdateFlags["notificationId"]>().toEqualTypeOf<string | false | undefined>();
  expectTypeOf<CreateFlags["paused"]>().toEqualTypeOf<true | undefined>();
  expectTypeOf<CreateFlags["rpcUrl"]>().toEqualTypeOf<string[] | undefined>();
  expectTypeOf<
    NonNullable<ReturnType<typeof createRelayerSchema.safeParse>["data"]>["network_type"]
  >().toEqualTypeOf<NetworkKind>();
});
