import Foundation
import PouchNetwork
import PouchService

/// The locations on this device for an application's data of one server. Each application and each origin has its own.
///
///     let storage = DeviceStorage(server: url, application: "com.example.kiosk")
///     let pouch = Pouch(server: url, sessionStore: storage.sessionStore, cache: storage.cache)
///
/// On Apple's systems these are the Keychain, Application Support and Caches; elsewhere the folders of the XDG Base
/// Directory Specification. Files and folders are created when something is stored.
public struct DeviceStorage: Sendable {
    /// Stores the session in the Keychain if the system has one, otherwise in a file that only its owner may read.
    public let sessionStore: any SessionStore
    /// The file for a session outside the Keychain.
    public let sessionFile: URL
    /// The file of the local store.
    public let database: URL
    /// The file for the pages on screen, which the app restores.
    public let pages: URL
    /// The folder for data that can be requested again.
    public let cache: URL

    /// - Parameters:
    ///   - server: identified by scheme, host and port.
    ///   - application: the name of the folder for all servers, such as the bundle identifier. Programs with the same
    ///     name act as one: they share the session with its permissions, the cart, and purchases with an unknown
    ///     outcome. The name of the terminal program is `pouch`.
    ///   - environment: the environment with XDG's variables and HOME.
    public init(server: URL, application: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(Self.name(server), application, environment)
    }

    /// Creates locations for a LAYERS feed, which is also identified by its path: one web server may have several
    /// feeds.
    public init(feed: URL, application: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let path = feed.path(percentEncoded: false).split(separator: "/").joined(separator: "/")
        self.init(Self.short("feed_" + Self.name(feed) + "_" + Self.component(path)), application, environment)
    }

    /// Creates locations in one folder. A session is still stored in the Keychain if the system has one.
    ///
    /// - Parameters:
    ///   - server: identified by scheme, host and port.
    ///   - application: the name of the service in the Keychain, such as the bundle identifier. Programs with the same
    ///     name share the session.
    ///   - folder: the folder for all files; `cache` is a folder in it.
    public init(server: URL, application: String, in folder: URL) {
        self.init(Self.name(server), application, state: folder, caches: folder.appending(component: "cache"))
    }

    private init(_ origin: String, _ application: String, _ environment: [String: String]) {
        #if canImport(Security)
            let (state, caches) = (URL.applicationSupportDirectory, URL.cachesDirectory)
        #else
            let state = Self.folder("XDG_STATE_HOME", ".local/state", environment)
            let caches = Self.folder("XDG_CACHE_HOME", ".cache", environment)
        #endif
        self.init(
            origin, application, state: state.appending(component: application),
            caches: caches.appending(component: application))
    }

    private init(_ origin: String, _ application: String, state: URL, caches: URL) {
        sessionFile = state.appending(component: origin + ".json")
        #if canImport(Security)
            sessionStore = KeychainSessionStore(service: application, account: origin)
        #else
            sessionStore = FileSessionStore(file: sessionFile)
        #endif
        pages = state.appending(component: origin + ".pages.json")
        database = state.appending(component: origin + ".sqlite")
        cache = caches.appending(component: origin)
    }

    /// Ignores relative paths, as the specification requires. Foundation would take the user's home from the system's
    /// list of users.
    private static func folder(_ variable: String, _ standard: String, _ environment: [String: String]) -> URL {
        if let path = environment[variable], path.hasPrefix("/") { return URL(filePath: path) }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: standard)
    }

    private static func name(_ server: URL) -> String {
        let origin = Origin(server)
        return "\(origin.scheme)_\(component(origin.host))_\(origin.port)"
    }

    /// Shortens a name: file names have at most 255 bytes, including extensions. Components have no tilde, so none
    /// looks like a shortened one. Not for servers: a server could choose its name to match a checksum, and receive
    /// another server's session.
    private static func short(_ name: String) -> String {
        name.count <= 150 ? name : "\(name.prefix(150))~\(Checksum(name.utf8).text)"
    }

    /// A part of a file name. Different texts have different parts.
    private static func component(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: ".-"))) ?? ""
    }
}
