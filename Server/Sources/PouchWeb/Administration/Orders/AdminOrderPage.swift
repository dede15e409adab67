import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

/// One order with all that the staff does with it.
struct AdminOrderPage {
    let admin: AdminVisit

    func content() async throws -> PageContent {
        let reference = try admin.visit.parameter("id")
        let administration = ShopAdministration(admin.site.environment)
        let isConflict = admin.visit.failure?.problem.code == .versionConflict
        let (managed, version, change) = try await admin.read { repositories in
            let (managed, version) = try administration.managedOrder(reference, in: repositories)
            let change = isConflict ? try OrderChange.latest(of: managed.order, in: repositories) : nil
            return (managed, version, change)
        }
        let values = AdminOrderValues(admin: admin, managed: managed, version: version)
        var content = PageContent("admin-order", title: "Order \(managed.order.number)", values.all)
        if isConflict {
            content.values["conflict"] = OrderConflict(admin: admin, order: managed.order, change: change).values
            content.values["errors"] = false
        } else if let failure = admin.visit.failure {
            content.values["errors"] = failure.values(id: inputPrefix)
        }
        return content
    }

    /// That of the ids in the form that was sent. Some forms of the page have inputs of the same names.
    private var inputPrefix: String {
        if admin.visit.path.hasSuffix("/tracking") { return "t-" }
        switch admin.visit.form?["scope"] {
        case "amount": return "amount-"
        case "rest": return "rest-"
        default: return "f-"
        }
    }
}
