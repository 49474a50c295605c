import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import { openFleetSources } from "../../../src/fleet/open-sources.ts";
import { problemsOf } from "../../fleet/fleet-files.ts";
import { testApp, type World } from "../../helpers/test-app.ts";

const KEY = "signing-key-of-a-notification-that-is-long";
const FILE = `notifications:
  - {id: n, type: webhook, url: "https://h.example.com", signing_key: "\${env:KEY}"}
  - {id: m, type: webhook, url: "https://h.example.com", signing_key: "\${file:key}"}`;

function appOf(world: World) {
  return testApp({ env: { KEY }, files: { "f.yaml": FILE, key: `${KEY}-in-a-file\n` }, ...world }).app;
}

test("a fleet is read from the user's files and variables, and its secrets are redacted from then on", async () => {
  const app = appOf({});
  const { resources } = await readFleetFiles(["f.yaml"], openFleetSources(app));
  expect(resources.map(({ fields }) => fields.signing_key)).toEqual([KEY, `${KEY}-in-a-file`]);
  expect(app.secrets.redact(`the key is ${KEY}`)).toBe("the key is ‹redacted›");
  expect(app.secrets.redact(`${KEY}-in-a-file`)).not.toContain(KEY);
});

test("a fleet is read from stdin, with a byte order mark and paths from the current folder", async () => {
  const app = appOf({ stdin: `\ufeff${FILE}` });
  const { resources } = await readFleetFiles(["-"], openFleetSources(app));
  expect(resources.map(({ place }) => `${place.file}:${place.line}`)).toEqual(["stdin:2", "stdin:3"]);
});

test("stdin at a terminal, a missing file, and no file name are reported together", async () => {
  const app = appOf({ terminal: true });
  expect(await problemsOf(readFleetFiles(["-", "gone.json", ""], openFleetSources(app)))).toEqual([
    "-: reads stdin, but stdin is a terminal; pipe the input or specify a file",
    "gone.json: cannot be read: it does not exist",
    "a file: needs a file name, or - for stdin",
  ]);
});

test("a file that is not UTF-8 is refused", async () => {
  const { app } = testApp();
  const files = { ...app.files, read: async () => new Uint8Array([0x7b, 0xff]) };
  expect(await problemsOf(readFleetFiles(["f.json"], openFleetSources({ ...app, files })))).toEqual([
    "f.json: is not UTF-8",
  ]);
});
