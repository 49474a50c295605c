import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./bundle.js";

/** Lives seeded lives against a model of service, node, and chain: npm run chaos -- [--seed N] [--runs N] [--threads N] */
const file = join(root, "coverage/chaos.mjs");

mkdirSync(join(root, "coverage"), { recursive: true });
const bundle = await rolldown({ input: join(root, "test/chaos/main.ts"), platform: "node" });
await bundle.write({ file, format: "esm", codeSplitting: false });
await bundle.close();

process.chdir(root);
await import(pathToFileURL(file).href);
