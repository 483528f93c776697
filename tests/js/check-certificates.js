// Checks the certificates in a JSON file (a list of strings), and prints a list with one sentence per certificate.

import { readFileSync } from "node:fs";
import { checkFile } from "../../src/gridlock/web/static/certificate.js";

const answers = [];
for (const text of JSON.parse(readFileSync(process.argv[2], "utf8"))) answers.push(await checkFile(new Blob([text])));
process.stdout.write(JSON.stringify(answers));
