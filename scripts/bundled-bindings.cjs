// What the command line's bundle takes for the package "bindings", by which better-sqlite3 looks for its binary in a
// dozen places. Its releases and its own build put it here.
module.exports = () => require("better-sqlite3/build/Release/better_sqlite3.node");
