import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./bundle.js";

/** Runs test/safety/fuzz against the built program: npm run fuzz -- [--seconds 60] [--seed N] [--runs N] */
const file = join(root, "coverage/fuzz.mjs");

mkdirSync(join(root, "coverage"), { recursive: true });
const bundle = await rolldown({ input: join(root, "test/safety/fuzz/main.ts"), platform: "node" });
await bundle.write({ file, format: "esm", codeSplitting: false });
await bundle.close();

process.chdir(root);
await import(pathToFileURL(file).href);
