/** The name of the file that the demo compares its fleet with, unless files are specified. */
export const DEMO_FILE = "demo/config.json";
