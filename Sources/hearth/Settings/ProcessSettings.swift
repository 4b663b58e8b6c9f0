import Layout
import Logging
import Service
import Storage

/// What a process is set to, with the defaults.
struct ProcessSettings: Sendable {
  /// The SQLite file, or where a PostgreSQL server keeps the database.
  var database = "data/hearth.db"
  /// How a server that keeps the database is connected to.
  var databaseServer = ConnectionSettings()
  /// The folder of what a server remembers of what it served; empty for the database's.
  var snapshotFolder = ""
  /// What the server is started with.
  var server = ServerSettings()
  /// How changes wait for each other and for the database's lock.
  var writing = WriteSettings()
  /// The limits of documents.
  var layout = LayoutLimits()
  /// The least level that is logged.
  var logLevel = Logger.Level.info
  /// The bytes of log lines that may wait to be written.
  var logBytesMax = 1024 * 1024
}
