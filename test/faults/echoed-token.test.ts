import { sampled } from "../helpers/deep.ts";
import { answered, EVM, GET, LIST, PAUSE, sendReply, success } from "./answered.ts";
import { type Ended, TOKEN } from "./world.ts";

const forms = {
  "as it is": TOKEN,
  "in base64": Buffer.from(TOKEN).toString("base64"),
  "in base64 within another text": Buffer.from(`x: Bearer ${TOKEN}`).toString("base64"),
  "in base64 for URLs": Buffer.from(`?${TOKEN}`).toString("base64url"),
  "percent-encoded": TOKEN.replaceAll("-", "%2D"),
  "in hex": Buffer.from(TOKEN).toString("hex"),
};
const FORMATS = ["json", "ndjson", "yaml", "csv", "tsv", "table", "raw"];

test.each(Object.entries(forms).map(([title, form], turn) => [title, form, turn] as const))(
  "the token in a response is never printed: %s",
  async (_, form, turn) => {
    const thing = { ...EVM, name: `a ${form} b`, notification_id: form };
    const printed: string[] = [];
    const keep = ({ stdout, stderr }: Ended) => printed.push(stdout, stderr);
    for (const format of sampled(FORMATS, 3, turn)) {
      keep(await answered([success(thing)], ...GET, "-o", format));
      keep(await answered([success([thing])], ...LIST, "-o", format));
    }
    for (const status of [200, 400, 401, 404, 500]) {
      keep(await answered([sendReply({ success: false, data: null, error: form }, status)], ...PAUSE, "-v"));
      keep(await answered([sendReply(`refused: ${form}`, status)], ...PAUSE, "-o", "json"));
    }
    keep(await answered([success(thing)], ...PAUSE, "-v"));
    keep(await answered([sendReply(form)], "api", "GET", "/relayers"));
    const all = printed.join("\n");
    expect(all).toContain("redacted");
    for (const shape of [form, TOKEN]) expect(all).not.toContain(shape);
  },
);
