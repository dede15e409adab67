import Foundation
import PouchContract
import PouchEntities
import PouchWire

extension WebVisitor {
    /// Signs in at the page for it.
    ///
    /// - Parameter next: the page to go to then, as the query of the address says.
    /// - Returns: the page to which that led.
    @discardableResult
    func signIn(
        _ email: String = "ada@example.com", password: String = .password, next: String? = nil
    ) async throws -> WebPage {
        var query = QueryString()
        query.append("next", next)
        let page = try await get("/sign-in?" + query.encoded)
        return try await submit(page, action: "/sign-in", ["email": email, "password": password])
    }

    @discardableResult
    func signUp(_ email: String = "ada@example.com", name: String = "Ada") async throws -> WebPage {
        try await submit(
            try await get("/sign-up"), action: "/sign-up", ["name": name, "email": email, "password": .password])
    }

    /// The access token of the visitor's session.
    var accessToken: String? { cookies["pouch_access"] ?? cookies["__Host-pouch_access"] }
}

extension WebPage {
    /// Whether the page tells why a form did not take effect.
    var hasAlert: Bool { attributes(of: "div").contains { $0["role"] == "alert" } }
}

extension TestShop {
    /// A visitor who is signed in as a new customer.
    func visitor(_ email: String = "ada@example.com") async throws -> WebVisitor {
        WebVisitor(self, session: try await customer(email).session)
    }
}
