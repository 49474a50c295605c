import { SETUPS } from "../../src/completion/scripts.ts";

/** `npm run completions` updates the files. */
test.each([
  ["bash", "relayctl.bash"],
  ["zsh", "_relayctl"],
  ["fish", "relayctl.fish"],
  ["powershell", "relayctl.ps1"],
] as const)("the script for %s is the file in completions/", async (shell, file) => {
  await expect(SETUPS[shell].script).toMatchFileSnapshot(`../../completions/${file}`);
});
