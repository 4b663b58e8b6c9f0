@_exported public import Polling
