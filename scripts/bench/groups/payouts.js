import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { attempted } from "../attempt.js";
import { restLoad } from "../load.js";
import { interleaved } from "../rounds.js";
import { addSdk } from "../sdk.js";
import { serve } from "../server.js";
import { timed } from "../shell.js";
import { speedRatio } from "../statistics.js";
import { count } from "../words.js";

const PER_SECOND = 200;
const BURST = 300;
/** With so few payments, the memory is the program's. */
const FEW = 1_000;

/** Measures a file of payments: time if the service limits the rate, memory, and time compared with a script that sends one after the other. */
export async function payouts(world) {
  const { payments, peerPayments } = world.plan;
  await addSdk(world);
  copyFileSync(join(import.meta.dirname, "../sdk-send.cjs"), join(world.env.SDK, "sdk-send.cjs"));
  const ideal = (payments - BURST) / PER_SECOND;
  const limited = await attempted(world, () => limitedRun(world, payments));
  const small = await attempted(world, () => peakOf(world, FEW));
  const reading = await attempted(world, () => readingOf(world, payments * 10));
  const runs = await race(world, peerPayments);
  const peak = limited.value ? { value: limited.value.peak } : limited;
  const failed = limited.value ? small : limited;
  const growth = peak.value && small.value ? { value: peak.value / small.value } : failed;
  const what = `${count(payments)} payments where ${PER_SECOND}/s with a burst of ${BURST} are allowed`;
  return {
    runs,
    rows: [
      {
        what: `${what}: time / the ideal ${ideal} s`,
        atMost: 1.15,
        ...(limited.value ? { value: limited.value.wall / ideal, load: limited.value.load } : limited),
      },
      { what: `peak memory, ${count(payments)} payments`, unit: "MB", ...peak },
      { what: `peak memory, ${count(FEW)} payments`, unit: "MB", ...small },
      { what: `peak memory, ${count(payments)} payments / ${count(FEW)}`, atMost: 1.1, ...growth },
      {
        what: `CPU to read ${count(payments * 10)} payments with checksums`,
        unit: "s",
        atMost: 2,
        ...(reading.value ? { value: reading.value.cpu } : reading),
      },
      {
        what: `${count(peerPayments)} payments, items/s / the SDK script, one after the other`,
        ...speedRatio(runs.relayctl, runs.sdk, "wall"),
      },
    ],
  };
}

/** Writes a file of payments into the home folder of the lines, and returns its name and its sum in wei. */
function fileOf(world, size) {
  const name = `payouts-${size}.csv`;
  const rows = Array.from({ length: size }, (_, at) => `0x${(at + 1).toString(16).padStart(40, "b")},${at + 1},21000`);
  writeFileSync(join(world.folder, name), ["to,value,gas_limit", ...rows, ""].join("\n"));
  return { file: `"$HOME/${name}"`, sum: (size * (size + 1)) / 2 };
}

/** How long it takes to read a file and to validate all of it, in seconds: no service listens. */
async function readingOf(world, size) {
  const file = join(world.folder, "checksums.csv");
  const rows = Array.from({ length: size }, (_, at) => `${withChecksum(at)},${at + 1},21000`);
  writeFileSync(file, ["to,value,gas_limit", ...rows, ""].join("\n"));
  const env = { ...world.env, RELAYCTL_SERVER: "http://127.0.0.1:1", RELAYCTL_TOKEN: "none" };
  const line = `relayctl tx send-many base-hot -f ${file} --speed fast --confirm 1 --state "${join(world.folder, "read")}" || [ $? -eq 10 ]`;
  return await timed(world, line, { env });
}

/** Returns an address with both cases (EIP-55). */
function withChecksum(number) {
  const digits = Buffer.from(keccak_256(Buffer.from(`receiver ${number}`))).toString("hex", 0, 20);
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString("hex");
  return `0x${[...digits].map((digit, at) => (hash[at] > "7" ? digit.toUpperCase() : digit)).join("")}`;
}

/** Pays a file as a new run, whose state is in a separate folder. */
function lineOf(world, size, program = "relayctl") {
  const { file, sum } = fileOf(world, size);
  const state = '"$HOME/payments-$RANDOM$RANDOM"';
  return `${program} tx send-many base-hot -f ${file} --speed fast --confirm ${sum} --state ${state} -o ndjson`;
}

async function limitedRun(world, size) {
  const server = await serve(world, "--quiet", "--rate-limit", `${PER_SECOND}/s:${BURST}`);
  const load = await restLoad();
  const run = await measured(world, server, size);
  await server.stop();
  return { ...run, load };
}

async function peakOf(world, size) {
  const server = await serve(world, "--quiet");
  const { peak } = await measured(world, server, size);
  await server.stop();
  return peak;
}

/** How long a run takes, in seconds, and how much memory it holds at most, in MB. */
async function measured(world, server, size) {
  const PEAK_FILE = join(world.folder, "peak");
  const env = { ...server.env, PEAK: join(import.meta.dirname, "../peak.cjs"), PEAK_FILE };
  const line = lineOf(world, size, 'node --require "$PEAK" "$PROGRAM"');
  world.say(line);
  const { wall } = await timed(world, line, { env });
  return { wall, peak: Number(readFileSync(PEAK_FILE, "utf8")) / 1e6 };
}

async function race(world, size) {
  const server = await serve(world, "--quiet");
  const { file } = fileOf(world, size);
  const lines = {
    relayctl: { line: lineOf(world, size), items: size, prints: size },
    sdk: { line: `node "$SDK/sdk-send.cjs" ${file}`, items: size, prints: size, needs: "sdk" },
  };
  const runs = await interleaved(world, lines, { rounds: world.plan.limitedRounds, env: server.env });
  await server.stop();
  return runs;
}
