// Checks one certificate with the page's checker, as its worker does: node bench/check_certificate.js FILE.

import { openAsBlob } from "node:fs";
import { checkFile } from "../src/gridlock/web/static/certificate.js";

const sentence = await checkFile(await openAsBlob(process.argv[2]));
process.stdout.write(`${sentence}\n`);
process.exitCode = sentence.startsWith("Every step is valid") ? 0 : 1;
