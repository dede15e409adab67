import Foundation
import PouchEntities
import Testing

extension WebVisitor {
    /// The token of the visitor's forms, from a form that every page of the administration has.
    func adminToken() async throws -> String {
        try #require(try await get("/admin").fields(of: "/admin/sign-out")["csrf"])
    }

    /// Sends the form of a refund: of its `lines`, of an `amount` or of the `rest`.
    func refund(_ order: Order, _ scope: String, _ values: [String: String?] = [:]) async throws -> WebPage {
        try await refund(scope, on: try await get("/admin/orders/\(order.id)"), values)
    }

    /// The same by the page of an order that was opened before.
    func refund(_ scope: String, on page: WebPage, _ values: [String: String?] = [:]) async throws -> WebPage {
        let form = try #require(page.refund(scope))
        let fields = try form.filled(["reason": "Moths"].merging(values) { $1 })
        let answer = try await post(form.action, fields)
        guard let location = answer.location else { return answer }
        return try await open(location)
    }
}

extension WebPage {
    /// The form of a refund: of `lines`, of an `amount` or of the `rest`.
    func refund(_ scope: String) -> WebForm? {
        forms.first { form in form.controls.contains { $0.name == "scope" && $0.value == scope } }
    }

    /// The paths to which the page's forms send changes, without those of the frame.
    var changes: [String] {
        forms.filter { $0.method == "POST" && $0.action != "/admin/sign-out" }.map(\.action)
    }

    /// Whether the page is one of the administration's, as a signed-in member of the staff sees it.
    var isInFrame: Bool { links.contains("/admin/orders") && !fields(of: "/admin/sign-out").isEmpty }
}
