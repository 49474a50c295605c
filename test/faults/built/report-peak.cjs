const { writeFileSync } = require("node:fs");

process.on("exit", () => writeFileSync(process.env.PEAK_REPORT, String(process.resourceUsage().maxRSS)));
