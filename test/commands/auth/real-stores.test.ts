import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { App } from "../../../src/app.ts";
import { runProgram } from "../../../src/config/token/run-program.ts";
import { clock, signalGroup } from "../../../src/system.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { exited } from "../../helpers/exited.ts";
import { TOKEN } from "../../helpers/test-app.ts";
import { EMPTY, LOCAL, runWith } from "../context/stored-world.ts";

function missing(...programs: string[]): string[] {
  return programs.filter((program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0);
}

/** Says in the title why a test is skipped. */
function titled(title: string, absent: readonly string[]): string {
  return absent.length === 0 ? title : `${title} (skipped: ${absent.join(" and ")} not installed)`;
}

function executeWith(env: Record<string, string>): App["execute"] {
  const interrupt = new AbortController().signal;
  return (argv, limits) => runProgram(argv, limits, { env, clock, interrupt, signalGroup });
}

async function tryStore(store: string, env: Record<string, string>) {
  const execute = executeWith(env);
  const login = ["auth", "login", "--context", "ci", "--server", LOCAL, "--token-file", "-"];
  const first = await exited(0, runWith([...login, "--store", store], { stdin: TOKEN, config: EMPTY, execute }));
  expect(JSON.stringify(first.config)).not.toContain(TOKEN);
  await exited({ stdout: `${TOKEN}\n` }, runWith(["auth", "token"], { config: first.config, execute }));
  const again = await runWith(login, { stdin: TOKEN, config: first.config, execute });
  expect([again.exitCode, again.config], again.stderr).toEqual([0, first.config]);
  const foreign = await runWith([...login, "--store", store], { stdin: TOKEN, config: EMPTY, execute });
  expect([foreign.exitCode, foreign.config]).toEqual([3, EMPTY]);
  const out = await runWith(["auth", "logout"], { config: first.config, execute });
  expect([out.exitCode, out.config.contexts.ci], out.stderr).toEqual([0, { server: LOCAL }]);
  await exited({ exitCode: 4, stdout: "" }, runWith(["auth", "token"], { config: first.config, execute }));
  await exited(0, runWith(["auth", "logout"], { config: first.config, execute }));
}

const { PATH = "" } = process.env;

describe("pass, with a key that was generated for the test,", () => {
  const absent = missing("pass", "gpg", "gpgconf");

  function passEnvironment(): Record<string, string> {
    const folder = temporaryFolder();
    const env = { PATH, HOME: folder, GNUPGHOME: join(folder, "gnupg"), PASSWORD_STORE_DIR: join(folder, "store") };
    mkdirSync(env.GNUPGHOME, { mode: 0o700 });
    onTestFinished(() => void spawnSync("gpgconf", ["--kill", "gpg-agent"], { env }));
    return env;
  }

  test.skipIf(absent.length > 0)(titled("keeps a token, replaces it, and forgets it", absent), async () => {
    const env = passEnvironment();
    const key = ["--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "relayctl@example.org", "ed25519"];
    const options = { env, stdio: "ignore" } as const;
    execFileSync("gpg", [...key, "cert", "never"], options);
    const listed = execFileSync("gpg", ["--batch", "--with-colons", "--list-keys"], { env, encoding: "utf8" });
    const fingerprint = /^fpr:+([0-9A-F]+):/m.exec(listed)?.[1] ?? "";
    execFileSync("gpg", ["--batch", "--passphrase", "", "--quick-add-key", fingerprint, "cv25519", "encr"], options);
    execFileSync("pass", ["init", "relayctl@example.org"], options);
    await tryStore("pass", env);
  });

  test.skipIf(absent.length > 0)(titled("is reported as it is if it was never set up", absent), async () => {
    const execute = executeWith(passEnvironment());
    const argv = ["auth", "login", "--server", LOCAL, "--token-file", "-", "--store", "pass"];
    const { exitCode, stderr, config } = await runWith(argv, { stdin: TOKEN, config: EMPTY, execute });
    expect([exitCode, config]).toEqual([4, EMPTY]);
    expect(stderr).toContain("pass did not store the token: it ended with status 1");
    expect(stderr).toContain("You must run: pass init your-gpg-id before you may use the password store.");
  });
});

describe("secret-tool, with a keyring on a bus for the test,", () => {
  const absent = missing("secret-tool", "gnome-keyring-daemon", "dbus-daemon", "dbus-send");

  async function busEnvironment(): Promise<Record<string, string>> {
    const folder = temporaryFolder();
    const env = { PATH, HOME: folder, XDG_DATA_HOME: join(folder, "data"), XDG_RUNTIME_DIR: join(folder, "run") };
    for (const path of [env.XDG_DATA_HOME, env.XDG_RUNTIME_DIR]) mkdirSync(path, { mode: 0o700 });
    const bus = spawn("dbus-daemon", ["--session", "--nofork", "--print-address"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    endAfterwards(bus);
    const address = await firstLine(bus);
    return { ...env, DBUS_SESSION_BUS_ADDRESS: address };
  }

  function endAfterwards(child: ChildProcess): void {
    onTestFinished(() => void child.kill("SIGKILL"));
  }

  async function firstLine({ stdout }: ChildProcess): Promise<string> {
    let text = "";
    for await (const chunk of stdout ?? []) {
      text += String(chunk);
      if (text.includes("\n")) break;
    }
    return text.split("\n")[0] ?? "";
  }

  test.skipIf(absent.length > 0)(titled("keeps a token, replaces it, and forgets it", absent), async () => {
    const env = await busEnvironment();
    const keyring = spawn("gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"], {
      env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    endAfterwards(keyring);
    keyring.stdin?.end("password of the test");
    const ask = ["--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner"];
    const isReady = () =>
      execFileSync("dbus-send", [...ask, "string:org.freedesktop.secrets"], { env, encoding: "utf8" }).includes("true");
    while (!isReady()) await setImmediate();
    await tryStore("secret-service", env);
  });

  test.skipIf(absent.length > 0)(titled("is reported if no keyring can be unlocked", absent), async () => {
    const execute = executeWith(await busEnvironment());
    const argv = ["auth", "login", "--server", LOCAL, "--token-file", "-", "--store", "secret-service"];
    const { exitCode, stderr, config } = await runWith(argv, { stdin: TOKEN, config: EMPTY, execute });
    expect([exitCode, config]).toEqual([4, EMPTY]);
    expect(stderr).toMatch(
      /^error: the keyring (?:did not store the token|could not be read): it ended with status 1\n/,
    );
  });
});
