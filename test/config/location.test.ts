import { configFolder, locationSubfolder, stateFolder } from "../../src/config/location.ts";

const HOME = "/home/ada";

describe("the config folder", () => {
  test.each([
    [{ HOME }, "linux", "/home/ada/.config/relayctl"],
    [{ HOME }, "darwin", "/home/ada/.config/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "/xdg" }, "linux", "/xdg/relayctl"],
    [{ XDG_CONFIG_HOME: "/xdg" }, "linux", "/xdg/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "relative" }, "linux", "/home/ada/.config/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "" }, "linux", "/home/ada/.config/relayctl"],
    [{ HOME, XDG_CONFIG_HOME: "/xdg", RELAYCTL_CONFIG_DIR: "/own" }, "linux", "/own"],
    [{ HOME, RELAYCTL_CONFIG_DIR: "" }, "linux", "/home/ada/.config/relayctl"],
    [{ APPDATA: "C:\\Users\\ada\\AppData\\Roaming" }, "win32", "C:\\Users\\ada\\AppData\\Roaming\\relayctl"],
    [{ APPDATA: "C:\\ada", RELAYCTL_CONFIG_DIR: "D:\\own" }, "win32", "D:\\own"],
  ])("with %j on %s is %s", (env, platform, folder) => expect(configFolder(env, platform)).toBe(folder));

  test.each([
    [{}, "linux", "HOME: is not set"],
    [{ HOME: "" }, "linux", "HOME: is not set"],
    [{ HOME: "ada" }, "linux", "HOME: is not an absolute path"],
    [{}, "win32", "APPDATA: is not set"],
  ])("with %j on %s is an error with the name of the variable", (env, platform, message) => {
    expect(() => configFolder(env, platform)).toThrow(message);
  });
});

test.each([
  [{ HOME }, "linux", "/home/ada/.local/state/relayctl"],
  [{ HOME, XDG_STATE_HOME: "/xdg" }, "linux", "/xdg/relayctl"],
  [{ HOME, XDG_STATE_HOME: "relative" }, "linux", "/home/ada/.local/state/relayctl"],
  [{ HOME, XDG_STATE_HOME: "/xdg", RELAYCTL_CONFIG_DIR: "/own" }, "linux", "/own"],
  [{ LOCALAPPDATA: "C:\\ada" }, "win32", "C:\\ada\\relayctl"],
])("the state folder with %j on %s is %s", (env, platform, folder) => expect(stateFolder(env, platform)).toBe(folder));

test("the journals of a service and of the demo are in the state folder", () => {
  expect(locationSubfolder("journal", { HOME }, "linux")).toBe("/home/ada/.local/state/relayctl/journal");
  expect(locationSubfolder("demo-journal", { LOCALAPPDATA: "C:\\ada" }, "win32")).toBe(
    "C:\\ada\\relayctl\\demo-journal",
  );
});
