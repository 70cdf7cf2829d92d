// The least a resume can be: open the file and read what was recorded.
import Database from "better-sqlite3";

const [path] = process.argv.slice(2);
const database = new Database(path);
database.prepare("SELECT key, digest, value, reply FROM calls").all();
database.prepare("SELECT seq, kind, data FROM events").all();
process.kill(process.pid, "SIGKILL");
