import { PRINT_ADDRESSES } from "./installation.ts";

/** The entry of the executable, in place of `bin/relayctl.js`. */
async function main([word]: readonly string[]): Promise<void> {
  if (process.env.BUN_INSPECT) return refuseInspector();
  if (word === "__complete") await import("./complete.ts");
  else if (word !== PRINT_ADDRESSES) await import("./entry.ts");
  else {
    const { printAddresses } = await import("./client/transport/lookup-programs.ts");
    printAddresses(process.getBuiltinModule("node:dns"), process);
  }
}

/** Ends a process whose memory an inspector shows: Bun opens one for this variable, which editors set in their terminals. */
function refuseInspector(): void {
  process.stderr.write("error: BUN_INSPECT is set, with which other programs can read the token. Unset it\n");
  process.exit(2);
}

void main(process.argv.slice(2));
