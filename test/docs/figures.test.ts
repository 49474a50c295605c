import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./documents.ts";

test("every figure on a page is recorded with the date and the commit of its run", () => {
  execFileSync(process.execPath, [join(ROOT, "scripts/figures.js"), "--check"]);
});
