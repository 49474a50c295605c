import { RelayctlError } from "../../src/errors.ts";
import { readFleetFiles } from "../../src/fleet/config/read-fleet.ts";
import { parseQuery } from "../../src/terminal/select/query.ts";
import { memorySources } from "../fleet/fleet-files.ts";
import { DEEP, sampled } from "../helpers/deep.ts";
import { ALICE, read } from "../payments/file/reading.ts";

function joined(count: number, part: (index: number) => string, separator = ","): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(separator);
}

const members = (count: number) => joined(count, (index) => `"m${index}": 1`);
const fleet = (text: string, file = "a.json") => readFleetFiles([file], memorySources({ [file]: text }, { V: "1" }));
const relayer = (rest: string) =>
  `{"relayers":[{"id":"a","name":"a","network":"mainnet","network_type":"evm","signer_id":"s",${rest}}]}`;

/** What a user may give to a command, of any size. */
const SHAPES: Readonly<Record<string, (count: number) => Promise<unknown>>> = {
  "a payment of many members": (count) => read(`{${members(count)}}\n`, { name: "a.ndjson" }),
  "a payment of many members with long names": (count) =>
    read(`{${joined(count, (index) => `"${"x".repeat(95)}${index}": 1`)}}\n`, { name: "a.ndjson" }),
  "a payment of equal members": (count) => read(`{${joined(count, () => '"to": 1')}}\n`, { name: "a.ndjson" }),
  "a payment that is nested deep": (count) => read(`{"to":${"[".repeat(count)}`, { name: "a.ndjson" }),
  "payments with odd members": (count) => read('{"to":1,"value":{},"x":1}\n'.repeat(count), { name: "a.ndjson" }),
  "a header of many columns": (count) => read(`to,value,${joined(count, (index) => `m${index}`)}\n`),
  "a header of many lines": (count) => read(`to,value,${joined(count, (index) => `"m\n${index}"`)}\n`),
  "a row of many fields": (count) => read(`to,value\n${joined(count, String)}\n`),
  "rows that are wrong": (count) => read(`to,value\n${"a,b\n".repeat(count)}`),
  "a row of quotes": (count) => read(`to,value\n${'"'.repeat(count)}\n`),
  "an amount of many digits": (count) => read(`to,value\n${ALICE},${"9".repeat(count)}eth\n`),
  "a call that is nested deep": (count) => read(`to,value,call\n${ALICE},0wei,f${"(".repeat(count)}\n`),
  "a list as an argument": (count) =>
    read(`to,value,call,arg1\n${ALICE},0wei,f(uint256[]),"[${joined(count, () => "1")}]"\n`),
  "YAML of many keys": (count) => fleet(`relayers: []\n${joined(count, (index) => `k${index}: 1`, "\n")}`, "a.yaml"),
  "YAML of a list of objects": (count) => fleet(`relayers: [${joined(count, () => "{id: 1}")}]`, "a.yaml"),
  "YAML of equal keys": (count) =>
    fleet(
      joined(count, () => "relayers: []", "\n"),
      "a.yaml",
    ),
  "YAML of aliases": (count) =>
    fleet(
      joined(count, (at) => `k${at}: &a${at} [*a${at - 1}, *a${at - 1}]`, "\n"),
      "a.yaml",
    ),
  "YAML in brackets": (count) => fleet("[".repeat(count), "a.yaml"),
  "YAML in dashes": (count) => fleet(`${"- ".repeat(count)}a`, "a.yaml"),
  "YAML of comments": (count) => fleet(`relayers:\n${"  # x\n".repeat(count)}  []`, "a.yaml"),
  "YAML of a long text": (count) => fleet(`relayers: "${"x\n  ".repeat(count)}"`, "a.yaml"),
  "YAML of a long key": (count) => fleet(`${"k".repeat(count)}: 1`, "a.yaml"),
  "JSON in brackets": (count) => fleet("[".repeat(count)),
  "a fleet of unknown lists": (count) => fleet(`{"relayers":[],${members(count)}}`),
  "a relayer of unknown members": (count) => fleet(relayer(members(count))),
  "a relayer of unknown policies": (count) => fleet(relayer(`"policies":{${members(count)}}`)),
  "a whitelist of many": (count) =>
    fleet(
      relayer(`"policies":{"whitelist_receivers":[${joined(count, (at) => `"0x${String(at).padStart(40, "0")}"`)}]}`),
    ),
  "relayers of one ID": (count) => fleet(`{"relayers":[${joined(count, () => '{"id":"a"}')}]}`),
  "networks that inherit": (count) =>
    fleet(`{"networks":[${joined(count, (at) => `{"type":"evm","network":"n${at}","from":"n${at + 1}"}`)}]}`),
  "networks with many tags": (count) => {
    const tags = (letter: string) => `"tags":[${joined(count, (at) => `"${letter}${at}"`)}]`;
    return fleet(
      `{"networks":[{"type":"evm","network":"b",${tags("a")}},{"type":"evm","network":"c","from":"b",${tags("b")}}]}`,
    );
  },
  "a text of references": (count) => fleet(`{"plugins":[{"id":"a","path":"${`\${env:V}`.repeat(count)}"}]}`),
  "a text of open references": (count) => fleet(`{"plugins":[{"id":"a","path":"${"${".repeat(count)}"}]}`),
  "references in a config": (count) =>
    fleet(`{"plugins":[{"id":"a","path":"x","config":{${joined(count, (at) => `"m${at}":"\${env:V}"`)}}}]}`),
  "a query of many names": async (count) => (await parseQuery(joined(count, () => "a", ".")))({ a: 1 }),
  "a query of many negations": async (count) => (await parseQuery(`${"!".repeat(count)}a`))({ a: 1 }),
  "a query of many pipes": async (count) => (await parseQuery(joined(count, () => "a", "|")))({ a: 1 }),
  "a query of many literals": async (count) => (await parseQuery(`\`${"[".repeat(count)}\``))({ a: 1 }),
};

/** Returns the milliseconds that this process computed, whatever else the machine does. */
async function computing(shape: (count: number) => Promise<unknown>, count: number): Promise<number> {
  const started = process.cpuUsage();
  const error = await shape(count).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error !== undefined) expect(error).toMatchObject({ failure: "usage" });
  expect(error === undefined || error instanceof RelayctlError).toBe(true);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/** Where time grows with the square of the size, four times the size takes sixteen times as long. */
const [TIMES, MOST, SLACK] = [4, 10, 100];
/** What other threads of this process compute only adds to a measurement: the least of several is closest. */
const ATTEMPTS = 5;

test.each(sampled(Object.entries(SHAPES), 4))(
  "%s takes time that grows with its size, or is refused",
  async (_, shape) => {
    const count = DEEP ? 20_000 : 1_000;
    await computing(shape, 10);
    let one = await computing(shape, count);
    let more = await computing(shape, TIMES * count);
    for (let attempt = 1; attempt < ATTEMPTS && !(more < MOST * one + SLACK); attempt++) {
      one = Math.min(one, await computing(shape, count));
      more = Math.min(more, await computing(shape, TIMES * count));
    }
    expect(more).toBeLessThan(MOST * one + SLACK);
  },
);
