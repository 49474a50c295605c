import { CATALOG } from "./catalog.ts";
import { anvil, geth, hardhat, readCommit } from "./nodes.ts";
import { type Served, serveOn } from "./served.ts";

const TRIED = [anvil, hardhat, geth];

test("a node is installed", () => expect(anvil.program, anvil.missing).toBeDefined());

for (const kind of TRIED) {
  const isThere = kind.program !== undefined;
  describe.skipIf(!isThere)(`${kind.name}${isThere ? "" : ` (skipped: ${kind.missing})`}`, () => {
    let served: Served | undefined;
    afterEach(async () => await served?.stop());
    let version: string | undefined;
    afterAll(() => void process.stdout.write(`${version}, commit ${readCommit()}\n`));

    for (const { ability, needs, begin, hold } of CATALOG) {
      const isPossible = needs === undefined || kind.directions.includes(needs);
      test.skipIf(!isPossible)(isPossible ? ability : `${ability} (not here: nobody directs this node)`, async () => {
        served = await serveOn(kind, undefined, { begin: begin?.() });
        version = served.node.version;
        await hold(served);
      });
    }
  });
}
