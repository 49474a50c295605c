import { cli } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { fleetWorld } from "./apply/world.ts";

const VALUE = "Quarterly.Zebra.4417";

/** Fleets that lead a variable around, each in a separate file with its surroundings. */
const ATTACKS: Readonly<Record<string, Record<string, string>>> = {
  "an anchor and its alias": {
    "f.yaml": `notifications:\n  - {id: ops, type: webhook, url: &a "https://x.example/\${env:V}"}\n  - {id: two, type: webhook, url: *a}\n`,
  },
  "a merged map": {
    "f.yaml": `x: &base {type: webhook, url: "https://x.example/\${env:V}"}\nnotifications:\n  - {<<: *base, id: ops}\n`,
  },
  "a text that is partly literal": {
    "f.yaml": `notifications:\n  - {id: ops, type: webhook, url: "https://x.example/a-\${env:V}-b"}\n`,
  },
  "a block text": { "f.yaml": `relayers:\n  - id: r1\n    name: >-\n      a\n      \${env:V}\n` },
  "the name of a member": {
    "f.yaml": `notifications:\n  - {id: ops, type: webhook, url: "https://x.example", "\${env:V}": 1}\n`,
  },
  "an unknown member": { "f.yaml": `notifications:\n  - {id: ops, tipe: "\${env:V}", type: webhook}\n` },
  "a list in the place of a text": {
    "f.yaml": `notifications:\n  - {id: ops, type: webhook, url: ["\${env:V}", {a: "\${file:v.txt}"}]}\n`,
  },
  "a map in the place of a number": {
    "f.yaml": `relayers:\n  - {id: r1, policies: {min_balance: {a: "\${env:V}"}}}\n`,
  },
  "a file in a folder of networks": {
    "f.yaml": "networks: ./nets\n",
    "nets/a.json": `{"networks":[{"type":"evm","network":"sepolia","rpc_urls":["https://x.example/\${env:V}","\${file:v.txt}"],"chain_id":"\${env:V}"}]}`,
  },
  "two files with the same ID": {
    "f.yaml": `notifications:\n  - {id: ops, type: webhook, url: "\${env:V}"}\n  - {id: ops, type: webhook, url: "\${file:v.txt}"}\n`,
  },
  "a reference to what is no file": {
    "f.yaml": `notifications:\n  - {id: ops, type: webhook, url: "\${file:nets/\${env:V}}"}\n`,
  },
};

test.each(sampled(Object.entries(ATTACKS), 2))("the value of a variable is not shown through %s", async (_, files) => {
  const lines = [
    "plan",
    "plan --out saved.json",
    "drift",
    "apply --yes",
    "apply --dry-run",
    "apply --curl",
    "export --dry-run",
  ];
  for (const line of lines)
    for (const format of line.startsWith("export") ? [""] : ["-o json", "-o markdown", "-o tsv"]) {
      const world = fleetWorld({ isJournaled: true });
      world.env.V = VALUE;
      Object.assign(world.files, files, { "v.txt": VALUE, "nets/v.txt": VALUE });
      const { stdout, stderr } = await cli(`${line} -f f.yaml ${format} -v`, { ...world, isMalformed: true });
      const all = [stdout, stderr, world.files["saved.json"] ?? "", JSON.stringify(world.journal.entries, texts)].join(
        "\n",
      );
      // An export prints the file, which does not have it.
      for (const part of VALUE.split(".").slice(0, 2)) expect(decoded(all), `${line} ${format}`).not.toContain(part);
    }
});

function texts(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
