import { PRINT_ADDRESSES } from "./installation.ts";

/** The entry of the executable, in place of `bin/relayctl.js`. */
async function runExecutable([word]: readonly string[]): Promise<void> {
  for (const name of INSPECTORS) if (process.env[name]) return refuseInspector(name);
  if (word === "__complete") await import("./complete.ts");
  else if (word !== PRINT_ADDRESSES) (await import("./entry.ts")).startProgram();
  else {
    const { printAddresses } = await import("./client/transport/lookup-programs.ts");
    printAddresses(process.getBuiltinModule("node:dns"), process);
  }
}

const INSPECTORS = ["BUN_INSPECT", "BUN_INSPECT_CONNECT_TO"];

function refuseInspector(name: string): void {
  process.stderr.write(`error: ${name} is set, and lets other programs read the token. Unset it\n`);
  process.exit(2);
}

void runExecutable(process.argv.slice(2));
