@_exported import PouchEntities
@_exported import PouchJSON
@_exported import PouchManagers

// Only the names of lower layers that a program uses itself: errors, and the values that it may pass to `Pouch`.
@_exported import enum PouchData.CartEdit
@_exported import struct PouchData.CatalogImportProgress
@_exported import struct PouchData.CatalogTaxonomy
@_exported import protocol PouchData.CatalogSource
@_exported import struct PouchData.FeedSettings
@_exported import struct PouchData.FeedSource
@_exported import struct PouchData.InvalidField
@_exported import struct PouchData.LiveEvents
@_exported import protocol PouchData.LocalStore
@_exported import class PouchData.MemoryStore
@_exported import struct PouchData.OrderDraft
@_exported import protocol PouchData.PromotionSource
@_exported import struct PouchData.RefundDraft
@_exported import enum PouchData.StockChange
@_exported import struct PouchData.StoreError
@_exported import struct PouchData.UnresolvedPurchase
@_exported import struct PouchData.UnresolvedRideRequest
@_exported import struct PouchData.WebhookChange
@_exported import struct PouchNetwork.AuthenticationChallenge
@_exported import protocol PouchNetwork.AuthenticationHandler
@_exported import class PouchNetwork.BasicAuthentication
@_exported import enum PouchNetwork.CertificateFileError
@_exported import class PouchNetwork.CookieStore
@_exported import struct PouchNetwork.FileUpload
@_exported import struct PouchNetwork.FolderTransport
@_exported import struct PouchNetwork.HeaderFields
@_exported import struct PouchNetwork.NetworkAttempt
@_exported import struct PouchNetwork.NetworkBody
@_exported import enum PouchNetwork.NetworkError
@_exported import struct PouchNetwork.NetworkOptions
@_exported import struct PouchNetwork.NetworkReport
@_exported import struct PouchNetwork.NetworkRequest
@_exported import struct PouchNetwork.NetworkResponse
@_exported import enum PouchNetwork.RequestLimit
@_exported import struct PouchNetwork.RetryPolicy
@_exported import enum PouchNetwork.ServerTrust
@_exported import struct PouchNetwork.StreamedResponse
@_exported import protocol PouchNetwork.Transport
@_exported import class PouchNetwork.URLSessionTransport
@_exported import struct PouchNetwork.UnsupportedTrust
@_exported import class PouchService.MemorySessionStore
@_exported import protocol PouchService.SessionStore
@_exported import struct PouchService.SessionStoreQueue
