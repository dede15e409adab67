import Foundation
import PouchDomain
import PouchEntities
import PouchSandbox
import PouchStorage

/// Everything that one can decide about a server before it starts.
public struct ServerConfiguration: Sendable {
    public struct TLS: Sendable {
        /// PEM files; the chain begins with the server's own certificate.
        public let certificatePath: String
        public let keyPath: String

        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port = 8080
    public var tls: TLS?
    public var database: DatabaseAddress
    /// Put around the database, once it is open; measures what the server asks of it.
    public var instrument: @Sendable (any Database) -> any Database = { $0 }
    /// Where the files of the server are that are not in its database.
    public var dataFolder: URL
    /// Whether the schema is brought up to date; otherwise an old one is an error.
    public var migrates = true
    /// nil: the one that the database has, and the euro in a new one.
    public var currency: Currency?
    /// nil: the standard settings in the currency of the database. Their currency must be the database's.
    public var shop: ShopSettings?
    public var city = CitySettings()
    public var passwordCost = ScryptPasswordHasher.Cost.standard
    public var payments = PaymentAddress.sandbox
    /// Of the sandbox inside this process.
    public var sandboxTiming = SandboxTiming.standard
    /// How often orders that were left half-way are looked for.
    public var settlementInterval = Duration.seconds(OrderSettlement.interval)
    /// How often imports that wait to be carried out are looked for.
    public var importInterval = Duration.milliseconds(500)
    /// The longest pause between two looks at what is due in the city: rides come from other processes too.
    public var cityInterval = Duration.milliseconds(250)
    /// How often those who follow a ride hear something, also where there is nothing new.
    public var rideHeartbeat = Duration.seconds(5)
    public var time: any TimeSource = SystemTime()
    /// Called with the port once requests are taken.
    public var onListening: @Sendable (Int) async -> Void = { _ in }

    public init(database: DatabaseAddress) {
        self.database = database
        dataFolder = database.dataFolder
    }

    /// The file in which the sandbox keeps its charges.
    public var sandboxLedgerPath: String { dataFolder.appending(path: "sandbox-payments.sqlite").path }
}
