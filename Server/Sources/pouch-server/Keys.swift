import ArgumentParser
import Foundation
import PouchDomain
import PouchStorage

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Manage the keys that sign access tokens.",
        discussion: """
            The newest key signs; all are valid. Running servers read the keys every 5 seconds. After a leak, for example \
            of a backup, rotate and retire the old keys: apps get new tokens by themselves. Otherwise wait 15 minutes \
            before you retire a key, so that no request fails. Retiring a key also ends the lists and fare quotes that it \
            signed.
            """,
        subcommands: [List.self, Rotate.self, Retire.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys, the newest first.")

        @OptionGroup var options: SharedOptions

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            let keys = try await environment.store.read { try $0.keys.keys() }
            for (index, key) in keys.enumerated() {
                let time = key.createdAt.formatted(.iso8601)
                print("\(key.id)  created \(time)\(index == 0 ? "  signs" : "")")
            }
            if keys.isEmpty { print("There are no keys yet. The first server that starts makes one.") }
            try await database.close()
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a key, which signs from then on.")

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
            abstract: "Remove a key, which invalidates the tokens that it signed.")

        @OptionGroup var options: SharedOptions

        @Argument(help: "The key's id.")
        var id: String

        func run() async throws {
            let (database, _, environment) = try await options.open(.refused)
            do {
                try await environment.store.write { [id] in try $0.keys.retire(id: id) }
            } catch SigningKeyError.signs {
                throw Failure("\(id.printable) signs at present. Add another key first: pouch-server keys rotate.")
            } catch SigningKeyError.unknown {
                throw Failure("No such key: \(id.printable). List them: pouch-server keys list.")
            }
            print("Removed \(id).")
            try await database.close()
        }
    }
}
