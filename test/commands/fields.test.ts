import type { JsonObject, JsonValue } from "../../src/contract/json.ts";
import type { Shape } from "../../src/contract/reply/shape.ts";
import { type Field, type FieldTable, sentFields } from "../../src/contract/resources/field.ts";
import { networkFields, networkShape } from "../../src/contract/resources/network.ts";
import { notificationFields, notificationShape } from "../../src/contract/resources/notification.ts";
import { pluginFields, pluginShape } from "../../src/contract/resources/plugin.ts";
import type { ResourceView } from "../../src/terminal/view.ts";
import { notificationView } from "../../src/views/notification.ts";
import { pluginView } from "../../src/views/plugin.ts";
import { networkView } from "../../src/views/rpc-url-flags.ts";
import { cli } from "../helpers/cli.ts";

const SAMPLES: Readonly<Record<NonNullable<Field["holds"]>, JsonValue>> = {
  id: "other",
  text: "other",
  flag: true,
  object: { a: 1 },
  list: [{ url: "https://rpc.example.org" }],
  anything: "other",
};

type Resource = readonly [
  name: string,
  table: FieldTable,
  shape: Shape,
  view: ResourceView<JsonObject & { id: string }>,
];

const RESOURCES: readonly Resource[] = [
  ["notification", notificationFields, notificationShape, notificationView],
  ["network", networkFields, networkShape, networkView],
  ["plugin", pluginFields, pluginShape, pluginView],
];

describe.each(RESOURCES)("every returned field of a %s", (_, table, shape, view) => {
  const returned = Object.entries(table).flatMap(([name, { holds }]) => (holds ? [[name, holds] as const] : []));

  test.each(returned)("%s is checked by its shape, can be selected, and is shown for a single item", (name, holds) => {
    const item = { id: "r" };
    const changed = { ...item, [name]: SAMPLES[holds] };
    expect(shape(changed)).toBeUndefined();
    expect(shape({ ...item, [name]: 5 })).toBe(holds === "anything" ? undefined : name);
    expect(view.fields).toContain(name);
    expect(view.block(changed)).not.toEqual(view.block(item));
  });

  test("has a position in the table that no other field has", () => {
    const places = Object.values(table)
      .flatMap((field) => field.table ?? [])
      .sort((one, other) => one - other);
    expect(places).toEqual(places.map((_, index) => index + 1));
  });
});

const VALUES: Readonly<Record<string, string>> = { url: "https://hooks.example.org/new", type: "webhook" };

describe.each([
  ["notifications update ops-hook", notificationFields],
  ["plugins update rebalance", pluginFields],
] as const)("%s", (line, table: FieldTable) => {
  const flags = sentFields(table, "update").flatMap(([name, { flag, clear }]) =>
    [flag, clear].flatMap((one) => (one ? [[one[0].split(" ")[0] ?? "", name, one === flag] as const] : [])),
  );

  test.each(flags)("%s sends %s", async (flag, name, isSet) => {
    const typed = VALUES[name];
    const ran = await cli([...line.split(" "), flag, ...(typed === undefined ? [] : [typed])]);
    expect(JSON.parse(ran.writes[0]?.body ?? "null"), ran.stderr).toEqual({ [name]: typed ?? isSet });
  });
});
