import ArgumentParser
import Foundation
import PouchDomain
import PouchStorage

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the keys that sign access tokens.",
        discussion: """
            The newest key signs; tokens signed by any listed key are valid. Running servers read the keys every 5 \
            seconds. After a leak, such as a lost backup, rotate the keys and retire the old ones; apps get new tokens \
            by themselves. Otherwise wait 15 minutes before you retire a key, so that no request fails. Retiring a key \
            also invalidates the list cursors and fare quotes that it signed.
            """,
        subcommands: [List.self, Rotate.self, Retire.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys, newest first.")

        @OptionGroup var options: SharedOptions

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            let keys = try await environment.store.read { try $0.keys.keys() }
            for (index, key) in keys.enumerated() {
                let time = key.createdAt.formatted(.iso8601)
                print("\(key.id)  created \(time)\(index == 0 ? "  current" : "")")
            }
            if keys.isEmpty { print("There are no keys yet. The first server that starts creates one.") }
            try await database.close()
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a key, which becomes the signing key.")

        @OptionGroup var options: SharedOptions

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            let key = try await environment.store.write { try $0.keys.rotate(environment) }
            print("Added \(key.id). Running servers sign with it within 10 seconds.")
            try await database.close()
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a key, and so invalidate the tokens that it signed.")

        @OptionGroup var options: SharedOptions

        @Argument(help: "The key's id.")
        var id: String

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            do {
                try await environment.store.write { [id] in try $0.keys.retire(id: id) }
            } catch SigningKeyError.signs {
                throw Failure("\(id.printable) is the current signing key. Run “pouch-server keys rotate” first.")
            } catch SigningKeyError.unknown {
                throw Failure("There is no key \(id.printable). List the keys with “pouch-server keys list”.")
            }
            print("Removed \(id).")
            try await database.close()
        }
    }
}
