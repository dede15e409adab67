import PouchPostgres
import PouchServer
import PouchStorage
import Testing

@Suite("Addresses of databases")
struct PostgresAddressTests {
    @Test(arguments: [
        "postgres://ann@db.example.com:5432/shop?sslmode=verify-full", "postgresql://db/shop", "postgres://",
        "postgres://ann@[::1]:5433/shop?connect_timeout=2", "postgres:///shop?host=/run/postgresql",
    ])
    func `What libpq reads is taken`(text: String) throws {
        guard case .postgres(let address) = try DatabaseAddress(text) else {
            Issue.record("\(text) is for PostgreSQL")
            return
        }
        #expect(address.text == text)
    }

    @Test(arguments: ["postgres://ann:secret@db/shop", "postgres://ann@db/shop?password=secret"])
    func `A password in it is refused, and not repeated`(text: String) {
        #expect {
            try DatabaseAddress(text)
        } throws: { error in
            guard case StorageError.passwordInAddress = error else { return false }
            return !String(reflecting: error).contains("secret")
        }
    }

    @Test(arguments: ["", "sqlite:", "postgres:", "mysql://db/shop", "postgres://db/x?nothing=1"])
    func `Anything else is refused`(text: String) {
        #expect {
            try DatabaseAddress(text)
        } throws: { error in
            if case StorageError.unsupportedAddress = error { true } else { false }
        }
    }
}
