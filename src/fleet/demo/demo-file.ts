/** The file name of the demo's fleet, unless files are specified. */
export const DEMO_FILE = "demo/config.json";
