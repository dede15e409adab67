// The modules that almost every test of the server uses.
@_exported import Foundation
import Logging
import NIOCore
@_exported import PouchContract
@_exported import PouchDomain
@_exported import PouchEntities
@_exported import PouchHTTP
@_exported import PouchImport
@_exported import PouchJSON
import PouchRides
import PouchSandbox
@_exported import PouchServer
@_exported import PouchStorage
@_exported import PouchWire
import Subprocess
import SystemPackage

extension ServerConfiguration {
    /// Lets transactions, readers and clients take as long as they need on a busy machine. Tests expect to read what they
    /// wrote.
    public mutating func waitsPatiently() {
        (catalogTimeout, databaseTimeout) = (.seconds(30), .seconds(120))
        (timeouts.beginning, timeouts.time) = (.minutes(4), .minutes(4))
    }

    /// The city of the server's rides; a server gets rides when it is set.
    public var city: CitySettings {
        get { parts.lazy.compactMap { ($0 as? Rides)?.city }.first ?? CitySettings() }
        set { parts = [Rides(city: newValue)] }
    }
}

/// Serves a shop on a free port of 127.0.0.1 while the closure runs, then shuts it down gracefully.
///
/// - Parameters:
///   - configuration: the settings of the server; `port` and `onListening` are set here.
///   - feed: A catalogue to import before the server starts.
///   - prepare: may add routes before the server starts.
///   - body: receives the application and its port.
public func withServer<Value: Sendable>(
    _ configuration: ServerConfiguration, importing feed: (any FeedReader)? = nil,
    preparing prepare: (ShopApplication) -> Void = { _ in }, logLevel: Logger.Level = .critical,
    _ body: @Sendable (ShopApplication, Int) async throws -> Value
) async throws -> Value {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    var configuration = configuration
    configuration.port = 0
    configuration.onListening = { listening.yield($0) }
    if let feed {
        let (database, store, environment) = try await configuration.open()
        _ = try await ImportService(environment, store: store).run(feed)
        try await database.close()
    }
    let shop = try await ShopApplication(configuration)
    prepare(shop)
    var logger = Logger(label: "shop")
    logger.logLevel = logLevel
    return try await withServices([try shop.application(logger: logger)], logger: logger) { _ in
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return try await body(shop, port)
    }
}

/// Serves the sandbox payment provider on 127.0.0.1 while the closure runs.
///
/// - Parameters:
///   - configuration: the settings of the provider; its port is a free one by default, and `onListening` is set here.
///   - body: receives the port.
public func withSandbox<Value: Sendable>(
    _ ledger: SandboxLedger, _ configuration: SandboxService.Configuration = .init(),
    logLevel: Logger.Level = .critical, _ body: @Sendable (Int) async throws -> Value
) async throws -> Value {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    var configuration = configuration
    configuration.onListening = { listening.yield($0) }
    var logger = Logger(label: "sandbox")
    logger.logLevel = logLevel
    let service = SandboxService(ledger: ledger, configuration: configuration, logger: logger)
    return try await withServices([service], logger: logger) { _ in
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return try await body(port)
    }
}

extension Address {
    /// The address of every buyer.
    public static let sample = Address(
        name: "Ada", line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE")
}

extension Environment {
    /// The environment of this process with these settings and no others of Pouch.
    public static func pouch(_ settings: [String: String] = [:]) -> Environment {
        let others = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("POUCH_") && settings[$0] == nil }
        let changes = others.map { ($0, String?.none) } + settings.map { ($0, Optional($1)) }
        return .inherit.updating(
            Dictionary(uniqueKeysWithValues: changes.map { (Key(stringLiteral: $0.0), $0.1) }))
    }
}

extension InputProtocol where Self == FileDescriptorInput {
    /// A text for a program's standard input, in a file without a name.
    ///
    /// Unlike `.string`, this writes nothing while the program runs: swift-subprocess ends its own process if a program
    /// exits before it has read everything.
    public static func text(_ text: String) throws -> FileDescriptorInput {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file, options: .withoutOverwriting)
        defer { try? FileManager.default.removeItem(at: file) }
        return .fileDescriptor(
            try FileDescriptor.open(FilePath(file.path), .readOnly, options: .closeOnExec),
            closeAfterSpawningProcess: true)
    }
}
