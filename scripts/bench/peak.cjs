const { writeFileSync } = require("node:fs");

/** Loaded before a program: tells the file that PEAK_FILE names how many bytes of memory the program held at most. */
process.on("exit", () => {
  const kibibytes = process.resourceUsage().maxRSS;
  writeFileSync(process.env.PEAK_FILE, String(kibibytes * 1024));
});
