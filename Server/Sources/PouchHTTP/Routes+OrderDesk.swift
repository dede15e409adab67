import PouchContract
import PouchWire

extension RouteRegistrar {
    /// The orders of all customers, customers, figures and exports.
    func addOrderDesk(_ services: ShopServices, pages: ListPager) {
        let desk = OrderDeskHandlers(services: services, pages: pages)
        self("GET /v1/admin/orders", .staff(.readOrders), Contract.allOrders).read(desk.orders)
        self("GET /v1/admin/orders/{id}", .staff(.readOrders), Contract.managedOrder).read(desk.order)
        self("PATCH /v1/admin/orders/{id}", .staff(.writeOrders), Contract.updateOrder).write(desk.update)
        self("POST /v1/admin/orders/{id}/cancel", .staff(.writeOrders), Contract.cancelManagedOrder).perform(
            desk.cancel)
        self("POST /v1/admin/orders/{id}/fulfil", .staff(.writeOrders), Contract.fulfilOrder).write(desk.fulfil)
        self("POST /v1/admin/orders/{id}/deliver", .staff(.writeOrders), Contract.deliverOrder).write(desk.deliver)
        self("POST /v1/admin/orders/{id}/refunds", .staff(.refundOrders), Contract.refundOrder).perform(desk.refund)
        self("POST /v1/admin/orders/{id}/notes", .staff(.writeOrders), Contract.addOrderNote).write(desk.addNote)
        self("GET /v1/admin/orders/{id}/packing-slip", .staff(.readOrders), Contract.packingSlip).perform(
            desk.packingSlip)

        let figures = FigureHandlers(services: services, pages: pages)
        self("GET /v1/admin/customers", .staff(.readCustomers), Contract.customers).read(figures.customers)
        self("GET /v1/admin/customers/{id}", .staff(.readCustomers), Contract.customer).read(figures.customer)
        self("GET /v1/admin/reports/sales", .staff(.readReports), Contract.salesReport).read(figures.sales)
        self("GET /v1/admin/stock", .staff(.readCatalog), Contract.stockLevels).read(figures.stock)

        let exports = ExportHandlers(services: services)
        self("GET /v1/admin/exports/orders", .staff(.readOrders), Contract.exportOrders).stream(exports.orders)
        self("GET /v1/admin/exports/customers", .staff(.readCustomers), Contract.exportCustomers).stream(
            exports.customers)
        self("GET /v1/admin/exports/stock", .staff(.readCatalog), Contract.exportStock).stream(exports.stock)
    }
}
